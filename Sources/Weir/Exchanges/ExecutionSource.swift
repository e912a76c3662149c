/// One iteration of an operation's results in an exchange.
class ExecutionSource<Handler>: AwaitedSource {
  let exchange: Handler
  let operation: GraphQLOperation
  let forward: Forward

  init(_ exchange: Handler, _ operation: GraphQLOperation, _ forward: Forward) {
    self.exchange = exchange
    self.operation = operation
    self.forward = forward
  }
}
