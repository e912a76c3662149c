public import Weir

/// What is known of one field.
public struct FieldPolicy: Sendable {
  /// The arguments that make two values of the field different ones; nil for all. The names of the
  /// others still reach the server.
  public var keyArguments: Set<String>?
  /// Makes the field's value from other fields of the record.
  public var computed: ComputedField?
  /// Says that the field's values are pages of one list; see
  /// ``connection(filter:shows:)`` and ``offsetPages(offset:limit:filter:shows:)``. The arguments
  /// that it names count in place of ``keyArguments``.
  public var pages: PagePolicy?
  /// How long the field's value may be used after it was written; nil for as long as its type's.
  public var timeToLive: Duration?

  /// Which entities the field's arguments name, so that it can be read before anybody has asked a
  /// server for it.
  public var redirect: EntityRedirect?

  /// A field whose argument is the id of the entity that it returns, or a list of ids:
  /// `configuration.fields["Query.todo"] = .redirecting(to: "Todo", idFrom: "id")`.
  public static func redirecting(to typename: String, idFrom argument: String) -> FieldPolicy {
    redirecting(to: typename, idsFrom: [argument])
  }

  /// A field whose arguments together are the key of the entity that it returns, in the order in
  /// which ``EntityKey/fields(_:)`` names the key's fields:
  /// `configuration.fields["Query.seat"] = .redirecting(to: "Seat", idsFrom: ["row", "number"])`.
  public static func redirecting(
    to typename: String, idsFrom arguments: [String]
  ) -> FieldPolicy {
    var policy = FieldPolicy()
    policy.redirect = EntityRedirect(typename: typename, arguments: arguments)
    return policy
  }

  /// A policy that says nothing.
  public init() {}
}

/// Which entities a field's arguments name.
public struct EntityRedirect: Hashable, Sendable {
  /// The name of the entities' object type, or of their group.
  public let typename: String
  /// The argument that is an id or a list of ids, or the arguments that are the parts of one.
  public let arguments: [String]
}

/// A field whose value is made on reading.
public struct ComputedField: Sendable {
  /// The fields of the same object that the closure is given. One that the store does not have is
  /// absent there, so queries should select them, too.
  public let dependencies: [String]
  /// Makes the value.
  public let value: @Sendable (JSON) -> JSONValue

  /// A field that is made from others.
  public init(from dependencies: [String], value: @escaping @Sendable (JSON) -> JSONValue) {
    self.dependencies = dependencies
    self.value = value
  }
}
