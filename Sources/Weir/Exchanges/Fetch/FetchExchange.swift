public import Foundation

/// Sends operations by HTTP, with one request for each execution. Place it at the end of the chain.
///
/// ```swift
/// var configuration = FetchConfiguration()
/// configuration.headers = { _ in ["user-agent": "Todos/1.0"] }
/// configuration.prefersGET = true
/// let client = GraphQLClient([.dedup, .documentCache, .fetch(url, configuration)])
/// ```
///
/// It follows "GraphQL over HTTP":
/// - Operations are sent by POST with a JSON body (section "POST"), or queries by GET if you choose
///   so (section "GET").
/// - The request accepts `application/graphql-response+json, application/json;q=0.9` (section
///   "Accept"), unless the response is to be streamed in a format that you choose. Your configuration's header fields replace those of the exchange, and an
///   execution's header fields replace both; only the `content-type` of a request with files cannot
///   be replaced.
/// - A GET has the field `apollo-require-preflight`, and so has a request with files, with
///   `graphql-preflight` beside it: without these, the protection of Apollo Server and of Hot Chocolate
///   against requests of foreign web pages would refuse such requests.
/// - If the body is a GraphQL response, it is the result, whatever the status and the media type.
///   Errors beside data do not remove the data, and `"errors": []` is not an error. Any other
///   response is an error with a code: ``OperationError/Code/transport`` (with an underlying
///   ``HTTPTransportError``), ``OperationError/Code/httpStatus`` (with an underlying
///   ``HTTPStatusError``), or ``OperationError/Code/malformedResponse``.
///
/// Responses may be streamed, as multipart bodies or as event streams:
/// - For a query or mutation with `@defer` or `@stream`, each result contains all data so far; the
///   last one has `hasNext` false. If the rest is lost, the data so far is returned with the error.
///   If many small payloads follow large data at once, several of them share a result, so that the
///   work stays proportional to the response.
///   Three forms of payloads are understood: that of 2023 (`pending`, `incremental` with ids, and
///   `completed`), that of 2022 (`incremental` with paths), and that of 2020 (one `data` with a
///   `path` per payload, for `@stream` one item).
/// - Each event of a subscription is a result of its own. A lost connection is opened again
///   (``Reconnection``). To use another transport, place a ``SubscriptionExchange`` above this
///   exchange.
///
/// It does not batch, retry or cache. The request ends when its consumer is cancelled or leaves.
/// The exchange makes no task of its own; sending, receiving and parsing do not run on the caller's
/// actor, and nothing is read before the consumer asks for it.
public struct FetchExchange: StatefulExchange {
  private let url: URL
  private let configuration: FetchConfiguration
  let credentials: CredentialGuard

  /// Makes an exchange that sends to one URL, unless an operation's context has another endpoint.
  ///
  /// - Parameters:
  ///   - url: The server's URL; its query items are kept.
  ///   - configuration: The settings.
  public init(_ url: URL, configuration: FetchConfiguration = FetchConfiguration()) {
    self.init(url, configuration, CredentialGuard())
  }

  init(_ url: URL, _ configuration: FetchConfiguration, _ credentials: CredentialGuard) {
    self.url = url
    self.configuration = configuration
    self.credentials = credentials
  }

  /// Sends an operation when the stream is iterated.
  public func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    guard operation.kind == .subscription else {
      return ResultStream(source: { FetchSource(self, operation) })
    }
    if forwardsSubscriptions { return forward(operation) }
    return ResultStream(source: {
      SubscriptionSource(operation, reconnection: configuration.reconnection) { resumption in
        await response(to: operation, resuming: resumption)
      }
    })
  }

  /// Whether subscriptions are left to the exchanges after this one.
  var forwardsSubscriptions: Bool { configuration.subscriptionMediaTypes.isEmpty }

  /// Does nothing: the exchange keeps no results.
  public func invalidate(_ invalidation: Invalidation) {}

  /// From now on, credentials that the configuration returns are not sent for older sessions.
  public func switchSession(to session: Session) { credentials.switchSession(to: session) }

  @concurrent
  fileprivate func response(
    to operation: GraphQLOperation, resuming resumption: Resumption = Resumption()
  ) async -> OperationResponse {
    let start = ContinuousClock.now
    let limit = configuration.maximumResponseBytes
    var status: Int?
    do {
      let response = try await send(operation, resuming: resumption)
      status = response.status
      if let feed = StreamedResponse(response, kind: operation.kind, limit: limit) {
        return response.isSuccess ? .feed(feed) : .result(await feed.onlyResult(of: response))
      }
      let (body, timing) = try await response.complete(upTo: limit, since: start)
      let known = operation.context.flightTags?.known
      return .result(OperationResult(response, body: body, timing: timing, known: known))
    } catch let error as HTTPTransportError {
      return .result(
        OperationResult(
          error: OperationError(transport: error, status: status, uploads: operation.uploads)))
    } catch {
      // A closure that loads header fields may need the network that was just lost.
      let error =
        resumption.isAfterLoss
        ? OperationError(subscriptionFailure: error) : OperationError(exchangeFailure: error)
      return .result(OperationResult(error: error))
    }
  }

  private func send(
    _ operation: GraphQLOperation, resuming resumption: Resumption
  ) async throws -> HTTPResponse {
    let headers = try await configuration.headers(operation)
    try credentials.check(added: headers, to: operation)
    var request = try request(for: operation, headers: headers)
    try credentials.check(request.headers, of: operation)
    if let id = resumption.lastEventID, !id.isEmpty { request.headers["last-event-id"] = id }
    do {
      return try await configuration.transport.send(request)
    } catch {
      throw HTTPTransportError(error)
    }
  }

  /// Makes the request for an operation.
  func request(for operation: GraphQLOperation, headers: HTTPHeaders) throws -> HTTPRequest {
    let endpoint = operation.context.endpoint ?? url
    let content = try GraphQLRequest(operation)
    let hasFiles = !operation.uploads.isEmpty
    let getURL =
      !hasFiles && operation.prefersGET(configuration)
      ? content.url(at: endpoint, limit: configuration.maximumURLLength) : nil
    var request = HTTPRequest(
      method: getURL == nil ? .post : .get, url: getURL ?? endpoint,
      headers: ["accept": streamedMediaTypes(of: operation).accept(for: operation.kind)],
      timeout: configuration.timeout, responseBodyLimit: configuration.maximumResponseBytes,
      isIdempotent: operation.mayBeSentTwice)
    if operation.kind == .subscription {
      request.timeout = nil
      request.idleTimeout = configuration.subscriptionIdleTimeout
      request.responseBodyLimit = nil
    }
    if hasFiles || getURL != nil {
      request.headers.merge(.preflight(hasFiles: hasFiles))
    } else {
      request.headers["content-type"] = "application/json"
      request.body = content.body
    }
    request.headers.merge(headers)
    request.headers.merge(operation.context.headers)
    if hasFiles {
      // After all other fields, because only this method knows the boundary, which the server
      // needs.
      try request.setMultipart(content, operation)
      // The time for sending depends on the files, so only the time without progress is limited.
      (request.timeout, request.idleTimeout) = (nil, configuration.timeout)
    }
    return request
  }

  /// Returns more than plain JSON only if that is wanted, because some servers answer every client
  /// that accepts event streams with one.
  private func streamedMediaTypes(of operation: GraphQLOperation) -> StreamedMediaTypes {
    if operation.kind == .subscription { return configuration.subscriptionMediaTypes }
    return operation.prepared.asksForIncrementalDelivery ? configuration.incrementalMediaTypes : []
  }
}

extension HTTPHeaders {
  /// The fields of requests that a browser would send for any page: GETs and forms. Servers refuse
  /// these unless they have such a field, which a browser does not add without asking: Apollo Server
  /// refuses both, and Hot Chocolate forms.
  fileprivate static func preflight(hasFiles: Bool) -> HTTPHeaders {
    hasFiles
      ? ["apollo-require-preflight": "true", "graphql-preflight": "1"]
      : ["apollo-require-preflight": "true"]
  }
}

extension GraphQLOperation {
  /// Whether a request may be sent again if it was lost without a response.
  var mayBeSentTwice: Bool { context.isIdempotent ?? (kind != .mutation) }

  /// Whether the operation is a query to be sent by GET.
  func prefersGET(_ configuration: FetchConfiguration) -> Bool {
    kind == .query && context.prefersGET ?? configuration.prefersGET
  }
}

extension Exchange where Self == FetchExchange {
  /// Sends operations by HTTP; see ``FetchExchange``. Place it last.
  public static func fetch(
    _ url: URL, _ configuration: FetchConfiguration = FetchConfiguration()
  ) -> FetchExchange {
    FetchExchange(url, configuration: configuration)
  }

  /// Sends operations by HTTP with another transport, such as `.curl` of the product `WeirCurl`; see
  /// ``FetchExchange``. Place it last.
  public static func fetch(_ url: URL, transport: some HTTPTransport) -> FetchExchange {
    var configuration = FetchConfiguration()
    configuration.transport = transport
    return FetchExchange(url, configuration: configuration)
  }
}

/// One request, sent in the consumer's task when the consumer asks.
private final class FetchSource: ResultSource {
  private let exchange: FetchExchange
  private let operation: GraphQLOperation
  private var isSent = false
  /// The results of a streamed response.
  private var feed: (any ResultFeed)?

  init(_ exchange: FetchExchange, _ operation: GraphQLOperation) {
    self.exchange = exchange
    self.operation = operation
  }

  /// A complete response is a single result.
  override var isAtEnd: Bool { isSent && feed == nil }

  override func next(isolation: isolated (any Actor)?) async -> OperationResult? {
    let result = await result()
    // A cancelled consumer has left; a request that was cancelled for another reason is an error.
    return result?.error?.code == .cancelled && Task.isCancelled ? nil : result
  }

  private func result() async -> OperationResult? {
    if !isSent {
      isSent = true
      switch await exchange.response(to: operation) {
      case .result(let result): return result
      case .feed(let feed): self.feed = feed
      }
    }
    do throws(OperationError) {
      return try await feed?.next()
    } catch {
      return OperationResult(error: error)
    }
  }
}
