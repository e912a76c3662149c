import Weir

/// Errors that end a request before its execution (specification, section 7.1.2, "Request error").
struct RequestErrors: Error {
  var errors: [GraphQLError]

  init(_ errors: [GraphQLError]) {
    self.errors = errors
  }

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

  init(requestErrors: [GraphQLError]) {
    errors = requestErrors
  }

  /// The response as JSON, with the errors first, as the specification recommends (section 7.1).
  var json: JSON {
    var members = JSONObject()
    if !errors.isEmpty { members["errors"] = .array(errors.map(\.json)) }
    if let data { members["data"] = data }
    do throws(JSONError) {
      return try JSON(.object(members))
    } catch {
      return .unwritable
    }
  }
}

extension JSON {
  /// Replaces a response that nests too deeply to be written.
  fileprivate static let unwritable: JSON = {
    let text = #"{"errors":[{"message":"The response nests too deeply for JSON."}]}"#
    guard let json = try? JSON(parsing: text) else { preconditionFailure("Not JSON.") }
    return json
  }()
}

extension GraphQLError {
  static let subscriptionNeedsStream = GraphQLError(
    message: "A subscription needs an event stream; accept \"text/event-stream\".")

  var json: JSONValue {
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
    return .object(members)
  }
}
