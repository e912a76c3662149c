public import Foundation
public import Weir

extension LocalServer: HTTPTransport {
  /// Answers a request at any URL according to "GraphQL over HTTP" and "GraphQL over Server-Sent
  /// Events" (distinct connections mode).
  ///
  /// - Throws: `HTTPTransportError` after ``fail(_:times:)``; `CancellationError` if the task is
  ///   cancelled.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let parsed = Result { () throws(HTTPRefusal) in try LocalRequest(parsing: request) }
    let failure = try await arrival(
      of: (try? parsed.get()) ?? LocalRequest(unreadable: request))
    switch failure?.kind {
    case .response(let response): return response
    case .error(let error): throw error
    case .truncated, nil: break
    }
    var response: HTTPResponse
    switch parsed {
    case .success(let local): response = await answer(local, request)
    case .failure(let refusal): response = AcceptedMedia(request).response(to: refusal)
    }
    try Task.checkCancellation()
    if case .truncated(let count)? = failure?.kind {
      response.body = HTTPBody(TruncatedBody(body: response.body, limit: count))
    }
    return response
  }

  private func answer(_ local: LocalRequest, _ request: HTTPRequest) async -> HTTPResponse {
    let accept = AcceptedMedia(request)
    switch plan(for: local) {
    case .failure(let error):
      return accept.response(LocalResponse(requestErrors: error.errors))
    case .success(let execution) where execution.kind == .subscription:
      guard AcceptedMedia(request, for: .subscription) == .eventStream else {
        return accept.response(
          to: HTTPRefusal(406, GraphQLError.subscriptionNeedsStream.message))
      }
      do throws(RequestErrors) {
        let events = try await execution.events()
        return .eventStream(HTTPBody(SubscriptionEvents(execution: execution, events: events)))
      } catch {
        return accept.response(LocalResponse(requestErrors: error.errors))
      }
    case .success(let execution) where execution.kind == .mutation && request.method == .get:
      return accept.response(to: HTTPRefusal(405, "A mutation cannot be sent by GET; use POST."))
    case .success(let execution):
      return accept.response(await execution.response())
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
