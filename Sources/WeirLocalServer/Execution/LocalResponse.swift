import Weir

/// Errors that end a request before its execution (specification, section 7.1.3, "Request error").
struct RequestErrors: Error {
  var errors: [GraphQLError]
  /// The status of the HTTP response; nil for an error of GraphQL, whose status depends on the media
  /// type.
  var status: Int?
  /// The field `allow` of the HTTP response, which the status 405 requires (RFC 9110, section 15.5.6).
  private(set) var allowedMethods: String?

  init(_ errors: [GraphQLError], status: Int? = nil) {
    self.errors = errors
    self.status = status
  }

  init(_ status: Int, _ message: String) {
    self.init([GraphQLError(message: message)], status: status)
  }

  static func methodNotAllowed(_ message: String, allowed: String) -> RequestErrors {
    var refusal = RequestErrors(405, message)
    refusal.allowedMethods = allowed
    return refusal
  }

  static let subscriptionNeedsStream = RequestErrors(
    406, "A subscription needs an event stream; accept \"text/event-stream\".")

  init(_ message: String, _ locations: [GraphQLError.Location] = []) {
    self.init([GraphQLError(message: message, locations: locations)])
  }
}

/// The response to a request.
struct LocalResponse: Sendable {
  /// The value of `data`; nil if the request was not executed.
  var data: JSONValue?
  var errors: [GraphQLError]

  init(data: JSONValue, errors: [GraphQLError]) {
    self.data = data
    self.errors = errors
  }

  init(_ refusal: RequestErrors) {
    errors = refusal.errors
  }

  /// The response as JSON, with the errors first, as the specification recommends (section 7.1).
  var json: JSON {
    var members = JSONObject()
    if !errors.isEmpty { members["errors"] = .array(errors.map(\.json)) }
    if let data { members["data"] = data }
    do throws(JSONError) {
      return try JSON(.object(members))
    } catch {
      return .unwritable(error)
    }
  }
}

extension JSON {
  /// Replaces a response that cannot be written, because it nests too deeply or has a number that is not
  /// finite.
  fileprivate static func unwritable(_ error: JSONError) -> JSON {
    let error = GraphQLError(message: "The response cannot be written as JSON: \(error)")
    guard let json = try? JSON(.object(["errors": .array([error.json])])) else {
      preconditionFailure("Not JSON.")
    }
    return json
  }
}
