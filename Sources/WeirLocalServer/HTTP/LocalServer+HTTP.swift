public import Foundation
public import Weir

extension LocalServer: HTTPTransport {
  /// Answers a request at any URL according to "GraphQL over HTTP" and "GraphQL over Server-Sent
  /// Events" (distinct connections mode).
  ///
  /// - Throws: `HTTPTransportError` after ``fail(_:times:)``; `CancellationError` if the task is
  ///   cancelled.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let parsed = Result { () throws(RequestErrors) in try LocalRequest(parsing: request) }
    let failure = try await arrival(
      of: (try? parsed.get()) ?? LocalRequest(unreadable: request))
    switch failure?.kind {
    case .response(let response): return response
    case .error(let error): throw error
    case .truncated, nil: break
    }
    var response = await answer(parsed, request)
    try Task.checkCancellation()
    if case .truncated(let count)? = failure?.kind {
      response.body = HTTPBody(TruncatedBody(body: response.body, limit: count))
    }
    return response
  }

  private func answer(
    _ parsed: Result<LocalRequest, RequestErrors>, _ request: HTTPRequest
  ) async -> HTTPResponse {
    let accept = AcceptedMedia(request)
    do throws(RequestErrors) {
      let execution = try plan(for: parsed.get())
      switch execution.kind {
      case .subscription:
        guard AcceptedMedia(request, for: .subscription) == .eventStream else {
          throw .subscriptionNeedsStream
        }
        let events = try await execution.events()
        return .eventStream(HTTPBody(EventStreamBody(execution: execution, events: events)))
      case .mutation where request.method == .get:
        throw .methodNotAllowed("A mutation cannot be sent by GET; use POST.", allowed: "POST")
      case .mutation, .query:
        return accept.response(await execution.response())
      }
    } catch {
      return accept.response(to: error)
    }
  }
}

extension Exchange where Self == FetchExchange {
  /// Returns a fetch exchange that sends operations to a server within the process. Place it last.
  ///
  /// - Parameters:
  ///   - server: The server.
  ///   - configuration: The options of the exchange. Its transport is replaced by the server.
  /// - Returns: a fetch exchange.
  public static func fetch(
    from server: LocalServer, _ configuration: FetchConfiguration = FetchConfiguration()
  ) -> FetchExchange {
    var configuration = configuration
    configuration.transport = server
    return FetchExchange(LocalServer.url, configuration: configuration)
  }
}

extension LocalServer {
  /// A URL for code that needs one; the server answers at any URL.
  public static let url: URL = {
    guard let url = URL(string: "http://localhost/graphql") else {
      preconditionFailure("The constant is not a URL.")
    }
    return url
  }()
}
