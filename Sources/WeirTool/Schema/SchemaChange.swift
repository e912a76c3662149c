import GraphQLValidation

/// A difference between two schemas.
struct SchemaChange: Hashable {
  enum Level: String, Comparable {
    /// An operation that was valid is not, or its result has another form.
    case breaking
    /// Operations stay valid, but clients may meet what they do not expect.
    case dangerous
    /// Nothing that worked changes.
    case safe

    /// Their names are in this order, too.
    static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  let level: Level
  /// The name of the kind of change, for example `field-removed`.
  let kind: String
  /// The place in the schema: `Type`, `Type.member`, `Type.field(argument:)`, or `@directive`.
  let coordinate: String
  let message: String
  /// The places whose use makes the change concern a document; see ``DocumentUse``.
  var concerns: [String]

  /// The change in one line. Pass nil if no documents were given.
  func text(_ concernsDocuments: Bool?) -> String {
    let use = concernsDocuments == false ? " (not used by the documents)" : ""
    return "\(level.rawValue): \(coordinate): \(message)\(use) [\(kind)]"
  }

  /// The change as a JSON object in one line.
  func json(_ concernsDocuments: Bool?) -> String {
    let members = [
      ("level", level.rawValue.jsonText), ("kind", kind.jsonText),
      ("coordinate", coordinate.jsonText), ("message", message.jsonText),
      ("concernsDocuments", concernsDocuments.map { "\($0)" } ?? "null"),
    ]
    return "{\(members.map { "\"\($0)\":\($1)" }.joined(separator: ","))}"
  }
}
