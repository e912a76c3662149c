/// A well-formed GraphQL response (GraphQL specification, section 7.1), whatever carried it.
///
/// The data stay where they are: a value in the document that the response was parsed into.
struct GraphQLResponse {
  /// What the operation selects; nil if it is absent or null.
  var data: JSON?
  /// The errors; empty if the server reports none, whether by an empty list or by nothing.
  var errors: [GraphQLError]
  /// What the server adds.
  var extensions: JSON?

  /// Reads a response; nil if it is none.
  ///
  /// A response is an object with `data`, an object or null, or `errors`, a list or null, or both,
  /// that has data or at least one error: the specification asks for errors where data is null.
  init?(_ json: JSON) {
    guard json.kind == .object else { return nil }
    let data = json["data"]
    let errors = json["errors"]
    switch data?.kind {
    case .object: self.data = data
    case .null, nil: break
    default: return nil
    }
    switch errors?.kind {
    case .array: self.errors = errors?.elements.map(GraphQLError.init) ?? []
    case .null, nil: self.errors = []
    default: return nil
    }
    guard self.data != nil || !self.errors.isEmpty else { return nil }
    extensions = json["extensions"].flatMap { $0.kind == .null ? nil : $0 }
  }
}

extension GraphQLError {
  /// Reads one entry of `errors` (section 7.1.2), and makes the best of one that is not as it should
  /// be: an error that a server reports is never lost.
  init(_ json: JSON) {
    let message =
      json["message"]?.string ?? json.string ?? "The server reports an error in no words."
    self.init(
      message: message,
      path: json["path"]?.elements.compactMap(PathElement.init) ?? [],
      locations: json["locations"]?.elements.compactMap(Location.init) ?? [],
      extensions: json["extensions"].flatMap { $0.kind == .object ? $0 : nil }?.value)
  }
}

extension GraphQLError.PathElement {
  fileprivate init?(_ json: JSON) {
    if let key = json.string {
      self = .key(key)
    } else if let index = json.int.flatMap({ Int(exactly: $0) }) {
      self = .index(index)
    } else {
      return nil
    }
  }
}

extension GraphQLError.Location {
  fileprivate init?(_ json: JSON) {
    guard let line = json["line"]?.int.flatMap({ Int(exactly: $0) }),
      let column = json["column"]?.int.flatMap({ Int(exactly: $0) })
    else { return nil }
    self.init(line: line, column: column)
  }
}
