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
  /// 60 seconds. For a request with files it is the longest silence instead; subscriptions have no
  /// such limit.
  public var timeout: Duration? = .seconds(60)

  /// The most bytes that a response may have, after decompression; of a subscription, one event.
  /// Default 64 MiB.
  public var maximumResponseBytes = 64 << 20

  /// The forms in which queries and mutations with `@defer` or `@stream` may be answered. Default
  /// multipart; empty asks for none. What comes is understood in any case.
  public var incrementalMediaTypes: StreamedMediaTypes = .multipart

  /// The forms in which subscriptions are asked for; the server chooses. Default both. If empty,
  /// subscriptions are not sent by HTTP but forwarded to the rest of the chain.
  public var subscriptionMediaTypes: StreamedMediaTypes = [.eventStream, .multipart]

  /// The longest silence of a subscription, heart-beats included, before its connection counts as
  /// lost; nil for no limit, which is the default: not every server sends heart-beats.
  public var subscriptionIdleTimeout: Duration?

  /// How the lost connection of a subscription is made again; nil if its loss is to be its end.
  public var reconnection: Reconnection? = Reconnection()

  /// The defaults.
  public init() {}
}
