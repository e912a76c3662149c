import Foundation

/// Sends the operations of a ``FetchExchange``.
///
/// An object, so that an execution keeps one reference to it.
final class RequestSender: Sendable {
  let url: URL
  let configuration: FetchConfiguration
  let credentials: CredentialGuard

  init(_ url: URL, _ configuration: FetchConfiguration, _ credentials: CredentialGuard) {
    self.url = url
    self.configuration = configuration
    self.credentials = credentials
  }

  /// Sends an operation. What happens between two waits is not inlined, so that the task keeps little
  /// while it waits.
  @inline(never)
  func response(
    to operation: GraphQLOperation, resuming resumption: Resumption = Resumption()
  ) async -> OperationResponse {
    let start = ContinuousClock.now
    var status: Int?
    do {
      let response = try await send(operation, resuming: resumption)
      status = response.status
      received(response, to: operation)
      if let feed = streamed(response, operation.kind, since: start) {
        return response.isSuccess ? .feed(feed) : .result(await feed.onlyResult(of: response))
      }
      let body = try await response.body.collect(upTo: configuration.responseLimit)
      return complete(response, body, since: start, operation)
    } catch {
      return failure(error, of: operation, status: status, resumption)
    }
  }

  /// The same for a caller that may be on an actor, which must not parse.
  @concurrent
  func responseApart(
    to operation: GraphQLOperation, resuming resumption: Resumption = Resumption()
  ) async -> OperationResponse {
    await response(to: operation, resuming: resumption)
  }

  @inline(never)
  private func received(_ response: HTTPResponse, to operation: GraphQLOperation) {
    configuration.onResponse?([operation], response.status, response.headers)
  }

  @inline(never)
  private func streamed(
    _ response: HTTPResponse, _ kind: GraphQLOperation.Kind, since start: ContinuousClock.Instant
  ) -> StreamedResponse? {
    .ifStreamed(response, kind: kind, limit: configuration.responseLimit, since: start)
  }

  @inline(never)
  private func complete(
    _ response: HTTPResponse, _ body: [UInt8], since start: ContinuousClock.Instant,
    _ operation: GraphQLOperation
  ) -> OperationResponse {
    let known = operation.context.sharedRequest?.former
    let timing = response.timing(since: start)
    return .result(OperationResult(response, body: body, timing: timing, known: known))
  }

  @inline(never)
  private func failure(
    _ error: any Error, of operation: GraphQLOperation, status: Int?, _ resumption: Resumption
  ) -> OperationResponse {
    if let error = error as? HTTPTransportError {
      let uploads = operation.uploads
      return .result(
        OperationResult(error: OperationError(transport: error, status: status, uploads: uploads)))
    }
    // A closure that loads header fields may need the network that is missing.
    let error =
      resumption.isRepeatable
      ? OperationError(subscriptionFailure: error) : OperationError(exchangeFailure: error)
    return .result(OperationResult(error: error))
  }

  private func send(
    _ operation: GraphQLOperation, resuming resumption: Resumption
  ) async throws -> HTTPResponse {
    let headers = try await headers(of: operation)
    let request = try request(for: operation, headers: headers, resuming: resumption)
    do {
      return try await configuration.transport.send(request)
    } catch {
      throw HTTPTransportError(error)
    }
  }

  /// Returns the header fields that the configuration and the context add to a request, after their
  /// credentials have been checked.
  func headers(of operation: GraphQLOperation) async throws -> HTTPHeaders {
    var headers = try await configuration.headers(operation)
    try credentials.check(added: headers, to: operation)
    headers.merge(operation.context.headers)
    try credentials.check(headers, of: operation)
    return headers
  }
}
