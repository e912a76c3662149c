/// Several exchanges as one, to be handed around: an app's way to the network, a library's offer.
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
/// It stands wherever its members would stand. They are called in order, the last one forwards to
/// what follows this exchange, and those that keep something are told what to forget.
///
/// It adds an array and a closure to each execution.
public struct ComposeExchange: StatefulExchange {
  private let exchanges: [any Exchange]

  /// Some exchanges, the first one the nearest to the caller.
  public init(_ exchanges: [any Exchange]) {
    self.exchanges = exchanges
  }

  /// Runs the members, then the rest of the chain.
  public func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    Forward(exchanges + [Rest(forward: forward)])(operation)
  }

  /// Tells the members what to forget, from below as the client does.
  public func invalidate(_ invalidation: Invalidation) {
    for case let exchange as any StatefulExchange in exchanges.reversed() {
      exchange.invalidate(invalidation)
    }
  }

  /// Tells the members that another user is at work.
  public func switchSession(to session: Session) {
    for case let exchange as any StatefulExchange in exchanges {
      exchange.switchSession(to: session)
    }
  }

  /// What follows the members.
  private struct Rest: Exchange {
    let forward: Forward

    func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
      self.forward(operation)
    }
  }
}
