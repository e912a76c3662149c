/// The rest of the chain, called like a function: `forward(operation)`.
///
/// A value of two words. Passing an operation along a chain allocates nothing.
public struct Forward: Sendable {
  let exchanges: [any Exchange]
  /// The index of the next exchange.
  let position: Int

  /// Creates a chain, for tests of an exchange and for exchanges that contain others. The first
  /// exchange is the nearest to the caller.
  public init(_ exchanges: [any Exchange]) {
    self.exchanges = exchanges
    position = 0
  }

  init(_ exchanges: [any Exchange], from position: Int) {
    self.exchanges = exchanges
    self.position = position
  }

  /// Executes the rest of the chain for an operation. At the end of the chain, the result is an
  /// error with the code ``OperationError/Code/unhandled``.
  @inline(__always)
  public func callAsFunction(_ operation: GraphQLOperation) -> ResultStream {
    guard position < exchanges.count else {
      return .just(OperationResult(error: .unhandled(operation)))
    }
    let rest = Forward(exchanges, from: position + 1)
    return exchanges[position].execute(operation, forward: rest)
  }
}
