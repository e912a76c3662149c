/// An exchange that opens the lost connections of subscriptions again, or contains one that does.
protocol ReopeningExchange: Exchange {
  /// Returns how it does that; nil if it does not. It asks `forward` about a subscription that it forwards.
  func reconnection(of subscription: GraphQLOperation, forward: Forward) -> Reconnection?
}

extension Forward {
  /// Returns how the rest of the chain opens a subscription's lost connection again; nil if it does not.
  func reconnection(of subscription: GraphQLOperation) -> Reconnection? {
    for index in exchanges.indices.dropFirst(position) {
      guard let exchange = exchanges[index] as? any ReopeningExchange else { continue }
      let rest = Forward(exchanges, from: index + 1)
      return exchange.reconnection(of: subscription, forward: rest)
    }
    return nil
  }
}
