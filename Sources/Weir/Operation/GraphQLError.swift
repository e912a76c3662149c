/// An error that a server reports in a response (GraphQL specification, section 7.1.6).
public struct GraphQLError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A step from the root of the data to the field that failed.
  public enum PathElement: Hashable, Sendable {
    /// The response key of a field.
    case key(String)
    /// The index in a list, from 0.
    case index(Int)
  }

  /// A position in the document that was sent.
  public struct Location: Hashable, Sendable {
    /// The line, from 1.
    public var line: Int
    /// The column, from 1.
    public var column: Int

    /// Creates a location.
    public init(line: Int, column: Int) {
      self.line = line
      self.column = column
    }
  }

  /// The server's description of the error.
  public var message: String
  /// The path of the field that failed; empty if the server does not report it.
  public var path: [PathElement]
  /// The positions in the document to which the error belongs.
  public var locations: [Location]
  /// Further information from the server, such as a code.
  public var extensions: JSONValue?
  /// The members that the specification does not define, in the server's order; empty if there are none.
  ///
  /// Some servers say here what others say in ``extensions``: GitHub by `type`, AppSync by `errorType` and
  /// `errorInfo`.
  public var otherMembers: JSONObject

  /// Creates an error as a server would report it.
  ///
  /// - Parameters:
  ///   - message: A description of the error.
  ///   - path: The path of the field that failed; empty by default.
  ///   - locations: The positions in the document; none by default.
  ///   - extensions: Further information, such as `["code": "NOT_FOUND"]`; none by default.
  ///   - otherMembers: Members that the specification does not define; none by default.
  public init(
    message: String, path: [PathElement] = [], locations: [Location] = [],
    extensions: JSONValue? = nil, otherMembers: JSONObject = JSONObject()
  ) {
    self.message = message
    self.path = path
    self.locations = locations
    self.extensions = extensions
    self.otherMembers = otherMembers
  }

  /// Message and path.
  public var description: String {
    guard !path.isEmpty else { return message }
    let steps = path.map { step in
      switch step {
      case .key(let key): key
      case .index(let index): String(index)
      }
    }
    return "\(message) (at \(steps.joined(separator: ".")))"
  }
}

extension GraphQLError {
  /// The messages of errors in one text, at most 100 of them.
  static func summary(of errors: [GraphQLError]) -> String {
    let most = 100
    let text = errors.prefix(most).map(\.message).joined(separator: "; ")
    return errors.count <= most ? text : "\(text); and \(errors.count - most) more errors"
  }
}

extension GraphQLError {
  /// The code that many servers give in the extensions.
  var code: String? { extensions?["code"]?.string }
}
