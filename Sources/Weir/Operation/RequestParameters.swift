/// What a request says beside the operation's name and variables ("GraphQL over HTTP", section
/// "Request Parameters").
///
/// An exchange above fetch sets it to let the server find a document that it knows, or to add
/// extensions; ``PersistedOperationsExchange`` does both. It is no part of an operation's key.
public struct RequestParameters: Hashable, Sendable {
  /// How the document is named.
  public enum Document: Hashable, Sendable {
    /// By its text, as `query`.
    case text
    /// By an identifier that the server knows it by, as `documentId` ("GraphQL over HTTP", appendix
    /// "Persisted Documents").
    case id(String)
    /// Not at all: the ``RequestParameters/extensions`` say which one is meant.
    case omitted
  }

  /// How the document is named; default ``Document/text``.
  public var document = Document.text

  /// What is sent as `extensions`; nothing if it is empty.
  public var extensions = JSONObject()

  /// The text, and no extensions.
  public init() {}
}

extension OperationContext {
  /// What the request says beside the operation's name and variables.
  public var requestParameters: RequestParameters {
    get { self[RequestParametersKey.self] }
    set { self[RequestParametersKey.self] = newValue }
  }
}

private enum RequestParametersKey: OperationContextKey {
  static let defaultValue = RequestParameters()
}
