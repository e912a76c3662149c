public import Foundation

/// Sends operations by HTTP, one request for each execution. It stands at the end of the chain.
///
/// ```swift
/// var configuration = FetchConfiguration()
/// configuration.headers = { _ in ["user-agent": "Todos/1.0"] }
/// configuration.prefersGET = true
/// let client = GraphQLClient([.dedup, .documentCache, .fetch(url, configuration)])
/// ```
///
/// It follows "GraphQL over HTTP":
/// - POST with a JSON body (section "POST"), or GET for queries if you ask for it (section "GET").
/// - `accept: application/graphql-response+json, application/json;q=0.9` (section "Accept"). Your own
///   header fields take the place of its own, those of an execution that of all others; only the
///   `content-type` of a request with files is always its own.
/// - A response is a GraphQL result if its body is one, whatever status and media type say; errors
///   beside data leave the data where they are, and `"errors": []` is no error. All else is an error
///   with a code: ``OperationError/Code/transport`` (with an ``HTTPTransportError`` under it),
///   ``OperationError/Code/httpStatus`` (with an ``HTTPStatusError``), or
///   ``OperationError/Code/malformedResponse``.
///
/// Responses may be streamed, as multipart bodies or as event streams:
/// - Of a query or mutation with `@defer` or `@stream` each result is all that has come so far, the
///   last one with `hasNext` false. If the rest is lost, what came stays, with the error beside it.
/// - Each event of a subscription is a result of its own. A lost connection is made again
///   (``Reconnection``). To use another transport, place a ``SubscriptionExchange`` above this one.
///
/// It does not batch, retry or cache. The request ends when its consumer is cancelled or leaves. It
/// makes no task of its own; sending, receiving and parsing run off the caller's actor, and nothing
/// is read before the consumer asks for it.
public struct FetchExchange: Exchange {
  private let url: URL
  private let configuration: FetchConfiguration

  /// An exchange that sends to one address, unless an operation's context names another.
  ///
  /// - Parameters:
  ///   - url: where the server is; its query items are kept.
  ///   - configuration: how to send.
  public init(_ url: URL, configuration: FetchConfiguration = FetchConfiguration()) {
    self.url = url
    self.configuration = configuration
  }

  /// Sends an operation when the stream is iterated.
  public func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    guard operation.kind == .subscription else {
      return ResultStream(source: { FetchSource(self, operation) })
    }
    guard !configuration.subscriptionMediaTypes.isEmpty else { return forward(operation) }
    return ResultStream(source: {
      SubscriptionSource(operation, reconnection: configuration.reconnection) { resumption in
        await answer(to: operation, resuming: resumption)
      }
    })
  }

  @concurrent
  fileprivate func answer(
    to operation: GraphQLOperation, resuming resumption: Resumption = Resumption()
  ) async -> Answer {
    let start = ContinuousClock.now
    let limit = configuration.maximumResponseBytes
    var status: Int?
    do {
      let response = try await send(operation, resuming: resumption)
      status = response.status
      if let feed = StreamedResponse(response, kind: operation.kind, limit: limit) {
        return (200..<300).contains(response.status)
          ? .feed(feed) : .result(await feed.onlyResult(of: response))
      }
      let body = try await response.body.collect(upTo: limit)
      let timing = ResultTiming(
        receivedAt: Date(), duration: ContinuousClock.now - start,
        maximumAge: CacheControl.maximumAge(response.headers))
      return .result(
        OperationResult(
          status: response.status, headers: response.headers, body: body, timing: timing))
    } catch let error as HTTPTransportError {
      return .result(
        OperationResult(
          error: OperationError(transport: error, status: status, uploads: operation.uploads)))
    } catch {
      return .result(OperationResult(error: OperationError(exchangeFailure: error)))
    }
  }

  private func send(
    _ operation: GraphQLOperation, resuming resumption: Resumption
  ) async throws -> HTTPResponse {
    var request = try request(
      for: operation, headers: try await configuration.headers(operation))
    if let id = resumption.lastEventID, !id.isEmpty { request.headers["last-event-id"] = id }
    do {
      return try await configuration.transport.send(request)
    } catch {
      throw HTTPTransportError(error)
    }
  }

  /// The request that an operation makes. Pure.
  func request(for operation: GraphQLOperation, headers: HTTPHeaders) throws -> HTTPRequest {
    let endpoint = operation.context.endpoint ?? url
    let content = try GraphQLRequest(operation)
    let isQuery = operation.kind == .query
    let getURL =
      isQuery && operation.uploads.isEmpty
        && operation.context.prefersGET ?? configuration.prefersGET
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
    if operation.uploads.isEmpty, getURL == nil {
      request.headers["content-type"] = "application/json"
      request.body = content.body
    }
    request.headers.replace(with: headers)
    request.headers.replace(with: operation.context.headers)
    if !operation.uploads.isEmpty {
      // After all others: nobody else knows the boundary, without which the body cannot be read.
      try request.setMultipart(content, operation)
      // How long sending takes is a matter of the files; silence is still limited.
      (request.timeout, request.idleTimeout) = (nil, configuration.timeout)
    }
    return request
  }

  /// Wider than plain JSON only where that is wanted: some servers answer whoever accepts event
  /// streams with nothing else.
  private func streamedMediaTypes(of operation: GraphQLOperation) -> StreamedMediaTypes {
    if operation.kind == .subscription { return configuration.subscriptionMediaTypes }
    return operation.prepared.asksForIncrementalDelivery ? configuration.incrementalMediaTypes : []
  }
}

extension GraphQLOperation {
  /// Whether a request that was lost without an answer may be sent once more.
  var mayBeSentTwice: Bool { context.isIdempotent ?? (kind != .mutation) }
}

extension Exchange where Self == FetchExchange {
  /// Sends operations by HTTP; see ``FetchExchange``. Place it last.
  public static func fetch(
    _ url: URL, _ configuration: FetchConfiguration = FetchConfiguration()
  ) -> FetchExchange {
    FetchExchange(url, configuration: configuration)
  }
}

/// One request, sent when the consumer asks, in the consumer's own task.
private final class FetchSource: ResultSource {
  private let exchange: FetchExchange
  private var operation: GraphQLOperation?
  private var feed: (any ResultFeed)?

  init(_ exchange: FetchExchange, _ operation: GraphQLOperation) {
    self.exchange = exchange
    self.operation = operation
  }

  override func next(isolation: isolated (any Actor)?) async -> OperationResult? {
    let result = await result()
    // A consumer that was cancelled has left; a request that was cancelled otherwise is an error.
    return result?.error?.code == .cancelled && Task.isCancelled ? nil : result
  }

  private func result() async -> OperationResult? {
    if let operation {
      self.operation = nil
      switch await exchange.answer(to: operation) {
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
