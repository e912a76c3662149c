public import Foundation

/// Sends queries and mutations by HTTP, one request for each execution. It stands at the end of the
/// chain; subscriptions pass it.
///
/// It follows "GraphQL over HTTP":
/// - POST with a JSON body (section "POST"), or GET for queries if you ask for it (section "GET").
/// - `accept: application/graphql-response+json, application/json;q=0.9` (section "Accept"). Your own
///   header fields take the place of its own, those of an execution that of all others.
/// - A response is a GraphQL result if its body is one, whatever status and media type say; errors
///   beside data leave the data where they are, and `"errors": []` is no error. All else is an error
///   with a code: ``OperationError/Code/transport`` (with an ``HTTPTransportError`` under it),
///   ``OperationError/Code/httpStatus`` (with an ``HTTPStatusError``), or
///   ``OperationError/Code/malformedResponse``.
///
/// It does not batch, retry or cache. The request ends when its consumer is cancelled or leaves. It
/// makes no task of its own; sending, receiving and parsing run off the caller's actor.
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

  /// Sends a query or mutation when the stream is iterated; forwards a subscription.
  public func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    guard operation.kind != .subscription else { return forward(operation) }
    return ResultStream(source: { FetchSource(self, operation) })
  }

  @concurrent
  fileprivate func result(of operation: GraphQLOperation) async -> OperationResult {
    let start = ContinuousClock.now
    var status: Int?
    do {
      let response = try await send(operation)
      status = response.status
      let body = try await response.body.collect(upTo: configuration.maximumResponseBytes)
      let timing = ResultTiming(receivedAt: Date(), duration: ContinuousClock.now - start)
      return OperationResult(
        status: response.status, headers: response.headers, body: body, timing: timing)
    } catch let error as HTTPTransportError {
      return OperationResult(error: OperationError(transport: error, status: status))
    } catch {
      return OperationResult(error: OperationError(exchangeFailure: error))
    }
  }

  private func send(_ operation: GraphQLOperation) async throws -> HTTPResponse {
    let request = try request(
      for: operation, headers: try await configuration.headers(operation))
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
      headers: ["accept": "application/graphql-response+json, application/json;q=0.9"],
      timeout: configuration.timeout, responseBodyLimit: configuration.maximumResponseBytes,
      isIdempotent: isQuery)
    if !operation.uploads.isEmpty {
      try request.setMultipart(content, operation)
      // How long sending takes is a matter of the files; silence is still limited.
      (request.timeout, request.idleTimeout) = (nil, configuration.timeout)
    } else if getURL == nil {
      request.headers["content-type"] = "application/json"
      request.body = content.body
    }
    request.headers.replace(with: headers)
    request.headers.replace(with: operation.context.headers)
    return request
  }
}

extension Exchange where Self == FetchExchange {
  /// Sends queries and mutations by HTTP; see ``FetchExchange``. Place it last.
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

  init(_ exchange: FetchExchange, _ operation: GraphQLOperation) {
    self.exchange = exchange
    self.operation = operation
  }

  override func next(isolation: isolated (any Actor)?) async -> OperationResult? {
    guard let operation else { return nil }
    self.operation = nil
    let result = await exchange.result(of: operation)
    // A consumer that was cancelled has left; a request that was cancelled otherwise is an error.
    return result.error?.code == .cancelled && Task.isCancelled ? nil : result
  }
}
