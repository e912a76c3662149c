/// The parameters of a request beside the operation's name and variables ("GraphQL over HTTP",
/// section "Request Parameters").
///
/// An exchange above fetch sets them to name a document that the server knows, or to add
/// extensions; ``PersistedOperationsExchange`` does both. They are not part of an operation's key.
public struct RequestParameters: Hashable, Sendable {
  /// How a request names the document.
  public enum Document: Hashable, Sendable {
    /// By its text, as `query`.
    case text
    /// By an identifier that the server knows it by, as `documentId` ("GraphQL over HTTP", appendix
    /// "Persisted Documents").
    case id(String)
    /// Not at all: the ``RequestParameters/extensions`` identify it.
    case omitted
  }

  /// How the request names the document. The default is ``Document/text``.
  public var document = Document.text

  /// The request's `extensions`; not sent if empty.
  public var extensions = JSONObject()

  /// Creates parameters with the document's text and no extensions.
  public init() {}
}

extension OperationContext {
  /// The parameters of the request beside the operation's name and variables.
  public var requestParameters: RequestParameters {
    get { self[RequestParametersKey.self] }
    set { self[RequestParametersKey.self] = newValue }
  }
}

private enum RequestParametersKey: OperationContextKey {
  static let defaultValue = RequestParameters()
}
