/// How queries and mutations are sent.
public struct FetchConfiguration: Sendable {
  /// What sends the requests. By default the transport that all clients share.
  public var transport: any HTTPTransport = URLSessionTransport.shared

  /// Header fields for each request, called before it is sent; for a token that changes. The fields
  /// of ``OperationContext/headers`` take precedence. An error that it throws is the result.
  public var headers: @Sendable (GraphQLOperation) async throws -> HTTPHeaders = { _ in [:] }

  /// Whether queries are sent by GET, so that HTTP caches can answer them. Default false;
  /// ``OperationContext/prefersGET`` decides for one execution. Mutations are never sent by GET
  /// ("GraphQL over HTTP", section "GET").
  public var prefersGET = false

  /// The most bytes that the URL of a GET may have; a query that needs more is sent by POST.
  /// Default 2,000: some servers and intermediaries take no more.
  public var maximumURLLength = 2_000

  /// The longest that a request may take, until its response is complete; nil for no limit. Default
  /// 60 seconds. For a request with files it is the longest silence instead.
  public var timeout: Duration? = .seconds(60)

  /// The most bytes that a response may have, after decompression. Default 64 MiB.
  public var maximumResponseBytes = 64 << 20

  /// The defaults.
  public init() {}
}
