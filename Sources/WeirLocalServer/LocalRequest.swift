public import Weir

/// One request that a ``LocalServer`` got.
public struct LocalRequest: Sendable {
  /// The document.
  public var text: String
  /// The operation's name, as the request gives it.
  public var operationName: String?
  /// The variables as they came, without defaults.
  public var variables: JSONObject
  /// The header fields; empty if it did not come by HTTP.
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
}
