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
public struct FetchExchange: StatefulExchange, SessionHolder, ReopeningExchange {
  let sender: RequestSender

  /// Makes an exchange that sends to one URL, unless an operation's context has another endpoint.
  ///
  /// - Parameters:
  ///   - url: The server's URL; its query items are kept.
  ///   - configuration: The settings.
  public init(_ url: URL, configuration: FetchConfiguration = FetchConfiguration()) {
    self.init(url, configuration, CredentialGuard())
  }

  init(_ url: URL, _ configuration: FetchConfiguration, _ credentials: CredentialGuard) {
    sender = RequestSender(url, configuration, credentials)
  }

  /// Sends an operation when the stream is iterated; a `cacheOnly` query has no result.
  public func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    if operation.isCacheOnly { return .just(.unsent) }
    guard operation.kind == .subscription else {
      return ResultStream(source: { [sender] in FetchSource(sender, operation) })
    }
    if forwardsSubscriptions { return forward(operation) }
    return ResultStream(source: { [sender] in
      SubscriptionSource(operation, reconnection: sender.configuration.reconnection) { resumption in
        await sender.responseApart(to: operation, resuming: resumption)
      }
    })
  }

  /// Whether subscriptions are left to the exchanges after this one.
  var forwardsSubscriptions: Bool { sender.configuration.subscriptionMediaTypes.isEmpty }

  func reconnection(of subscription: GraphQLOperation, forward: Forward) -> Reconnection? {
    forwardsSubscriptions
      ? forward.reconnection(of: subscription) : sender.configuration.reconnection
  }

  package var session: Session { sender.credentials.session }

  /// Does nothing: the exchange keeps no results.
  public func invalidate(_ invalidation: Invalidation) {}

  /// From now on, credentials that the configuration returns are not sent for older sessions.
  public func switchSession(to session: Session) { sender.credentials.switchSession(to: session) }
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
