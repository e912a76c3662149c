/// Combines several exchanges into one, for example for an app's network stack or a library.
///
/// ```swift
/// extension Exchange where Self == ComposeExchange {
///   static func network(_ url: URL, tokens: TokenStore) -> ComposeExchange {
///     ComposeExchange([.auth(tokens.configuration), .retry, .concurrencyLimit(6), .fetch(url)])
///   }
/// }
/// let client = GraphQLClient([.dedup, .documentCache, .network(url, tokens: tokens)])
/// ```
///
/// Place it where you would place its members. They are called in order, and the last one forwards
/// to the exchange after this one. Members that are a ``StatefulExchange`` receive invalidations
/// and session switches.
///
/// It adds an array and a closure to each execution.
public struct ComposeExchange: StatefulExchange, ReopeningExchange {
  let exchanges: [any Exchange]

  /// Makes an exchange of several; the first one is nearest to the caller.
  public init(_ exchanges: [any Exchange]) {
    self.exchanges = exchanges
  }

  /// Runs the members, then the rest of the chain.
  public func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    Forward(exchanges + [Rest(forward: forward)])(operation)
  }

  func reconnection(of subscription: GraphQLOperation, forward: Forward) -> Reconnection? {
    Forward(exchanges + [Rest(forward: forward)]).reconnection(of: subscription)
  }

  /// Invalidates the members, from the last to the first, as the client does.
  public func invalidate(_ invalidation: Invalidation) {
    exchanges.invalidate(invalidation)
  }

  /// Switches the session of the members.
  public func switchSession(to session: Session) {
    exchanges.switchSession(to: session)
  }

  /// Waits for the members, also if one of them throws.
  public func finishSwitch(to session: Session) async throws {
    try await exchanges.finishSwitch(to: session)
  }

  /// Forwards to the exchange after the members.
  private struct Rest: ReopeningExchange {
    let forward: Forward

    func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
      self.forward(operation)
    }

    func reconnection(of subscription: GraphQLOperation, forward: Forward) -> Reconnection? {
      self.forward.reconnection(of: subscription)
    }
  }
}
