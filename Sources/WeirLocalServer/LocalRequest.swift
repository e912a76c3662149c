import GraphQLLanguage
public import Weir

/// A request that a ``LocalServer`` has received.
public struct LocalRequest: Sendable {
  /// The text of the document.
  public var text: String
  /// The name of the operation, if the request contains one.
  public var operationName: String?
  /// The variables of the request, without defaults.
  public var variables: JSONObject
  /// The header fields; empty without HTTP.
  public var headers: HTTPHeaders

  init(
    text: String, operationName: String? = nil, variables: JSONObject = [:],
    headers: HTTPHeaders = [:]
  ) {
    self.text = text
    self.operationName = operationName
    self.variables = variables
    self.headers = headers
  }

  /// The name of the requested operation; nil for an anonymous one, and for an invalid document.
  var nameOfOperation: String? {
    operationName ?? (try? Document(parsing: text))?.operation(named: nil)?.name
  }
}
