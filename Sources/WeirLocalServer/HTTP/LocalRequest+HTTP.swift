import Foundation
import Weir

extension LocalRequest {
  /// Reads a request of "GraphQL over HTTP", section "Request".
  init(parsing request: HTTPRequest) throws(RequestErrors) {
    switch request.method {
    case .get: try self.init(get: request)
    case .post: try self.init(post: request)
    default:
      throw .methodNotAllowed("The server supports only GET and POST.", allowed: "GET, POST")
    }
  }

  /// Makes the record of a request that cannot be read.
  init(unreadable request: HTTPRequest) {
    self.init(text: String(decoding: request.body, as: UTF8.self), headers: request.headers)
  }

  private init(post request: HTTPRequest) throws(RequestErrors) {
    let mediaType = request.headers["content-type"] ?? ""
    guard mediaType.lowercased().hasPrefix("application/json") else {
      throw RequestErrors(415, "The content type must be \"application/json\".")
    }
    let json: JSON
    do throws(JSONError) {
      json = try JSON(parsing: request.body)
    } catch {
      throw RequestErrors(400, "The body is not JSON.")
    }
    if json.kind == .array {
      throw RequestErrors(400, "The server does not support batches; send one operation.")
    }
    if json["query"] == nil, json["extensions"]?["persistedQuery"] != nil {
      throw RequestErrors("PersistedQueryNotSupported")
    }
    try self.init(
      text: json["query"]?.string, operationName: json["operationName"]?.string,
      variables: json["variables"], headers: request.headers)
  }

  private init(get request: HTTPRequest) throws(RequestErrors) {
    let items = URLComponents(url: request.url, resolvingAgainstBaseURL: true)?.queryItems ?? []
    func parameter(_ name: String) -> String? { items.first { $0.name == name }?.value }
    var variables: JSON?
    if let text = parameter("variables") {
      guard let json = try? JSON(parsing: text) else {
        throw RequestErrors(400, "The variables are not JSON.")
      }
      variables = json
    }
    if parameter("query") == nil,
      parameter("extensions").flatMap({ try? JSON(parsing: $0) })?["persistedQuery"] != nil
    {
      throw RequestErrors("PersistedQueryNotSupported")
    }
    // An empty name is none (section "GET").
    let name = parameter("operationName").flatMap { $0.isEmpty ? nil : $0 }
    try self.init(
      text: parameter("query"), operationName: name, variables: variables,
      headers: request.headers)
  }

  private init(
    text: String?, operationName: String?, variables: JSON?, headers: HTTPHeaders
  ) throws(RequestErrors) {
    guard let text else { throw RequestErrors(400, "The request contains no \"query\".") }
    guard variables?.kind ?? .null == .null || variables?.kind == .object else {
      throw RequestErrors(400, "The variables are not a JSON object.")
    }
    self.init(
      text: text, operationName: operationName, variables: variables?.value.object ?? [:],
      headers: headers)
  }
}
