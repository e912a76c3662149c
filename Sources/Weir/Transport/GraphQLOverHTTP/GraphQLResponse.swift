/// A well-formed GraphQL response (GraphQL specification, section 7.1), independent of its
/// transport.
///
/// The data is a value in the document that the response was parsed into; it is not copied.
struct GraphQLResponse {
  /// The data; nil if it is absent or null.
  var data: JSON?
  /// The errors; empty if the list is empty or absent.
  var errors: [GraphQLError] = []
  /// The server's extensions.
  var extensions: JSON?

  static let nullWithoutError = GraphQLError(
    message: "The data is null, and the server reports no error.")

  /// Makes an empty response.
  init() {}

  /// Reads a response; nil if the JSON is not a response.
  ///
  /// A response is an object with data or at least one error. `data` is an object or null, `errors`
  /// a list or null. The specification requires errors if the data is null. But if a field that must not be null
  /// is null, Apollo Router says so in the extensions only, unless it is configured to report errors. So an error
  /// is added to a response of null and extensions.
  ///
  /// - Parameters:
  ///   - json: The response.
  ///   - isEvent: Whether it is an event of a subscription, which goes on, so that null needs no extensions.
  init?(_ json: JSON, isEvent: Bool = false) {
    guard json.kind == .object else { return nil }
    switch json["data"]?.kind {
    case .object: data = json["data"]
    case .null, nil: break
    default: return nil
    }
    switch json["errors"]?.kind {
    case .array: errors.append(errorsOf: json)
    case .null, nil: break
    default: return nil
    }
    extensions = json["extensions"].flatMap { $0.isNull ? nil : $0 }
    if data != nil || !errors.isEmpty { return }
    guard json["data"]?.isNull == true, isEvent || extensions?.kind == .object else { return nil }
    errors = [Self.nullWithoutError]
  }
}

extension JSON {
  /// Returns a member that is a list.
  func list(_ key: String) -> JSON? {
    self[key].flatMap { $0.kind == .array ? $0 : nil }
  }

  /// The value as an `Int`, if it is an integer that fits.
  var exactInt: Int? { int.flatMap { Int(exactly: $0) } }
}

extension [GraphQLError] {
  /// Adds the entries of the member `errors` of a response or a payload.
  ///
  /// Once there are 1,000 errors, only those with a path are added, which the caches need. Without
  /// this limit a text could make errors that take 50 times its size.
  mutating func append(errorsOf response: JSON) {
    guard let list = response.list("errors") else { return }
    for entry in list.elements where count < 1_000 || entry["path"].map({ $0.count > 0 }) == true {
      append(GraphQLError(entry))
    }
  }
}

extension GraphQLError {
  /// Reads one entry of `errors` (section 7.1.6). Never fails, so that malformed errors are
  /// reported, too.
  init(_ json: JSON) {
    let message =
      json["message"]?.string ?? json.string ?? "The server reported an error without a message."
    self.init(
      message: message,
      path: json["path"]?.elements.compactMap(PathElement.init) ?? [],
      locations: json["locations"]?.elements.compactMap(Location.init) ?? [],
      extensions: json["extensions"].flatMap { $0.kind == .object ? $0 : nil }?.value,
      otherMembers: Self.otherMembers(of: json))
  }

  private static let definedMembers: Set<String> = ["message", "locations", "path", "extensions"]

  /// The keys are read only if there are others.
  private static func otherMembers(of json: JSON) -> JSONObject {
    var others = JSONObject()
    guard json.kind == .object, json.count > definedMembers.count(where: { json[$0] != nil }) else {
      return others
    }
    for (key, value) in json.members where !definedMembers.contains(key) {
      others[key] = value.value
    }
    return others
  }

  /// The error as a response contains it.
  package var json: JSONValue {
    var members = JSONObject()
    members["message"] = .string(message)
    if !locations.isEmpty {
      members["locations"] = .array(
        locations.map { ["line": .int(Int64($0.line)), "column": .int(Int64($0.column))] })
    }
    if !path.isEmpty {
      members["path"] = .array(
        path.map { step in
          switch step {
          case .key(let key): .string(key)
          case .index(let index): .int(Int64(index))
          }
        })
    }
    if let extensions { members["extensions"] = extensions }
    for (key, value) in otherMembers where !Self.definedMembers.contains(key) {
      members[key] = value
    }
    return .object(members)
  }
}

extension GraphQLError.PathElement {
  /// Reads a key or an index.
  init?(_ json: JSON) {
    if let key = json.string {
      self = .key(key)
    } else if let index = json.exactInt {
      self = .index(index)
    } else {
      return nil
    }
  }
}

extension GraphQLError.Location {
  fileprivate init?(_ json: JSON) {
    guard let line = json["line"]?.exactInt, let column = json["column"]?.exactInt else {
      return nil
    }
    self.init(line: line, column: column)
  }
}
