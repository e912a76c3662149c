/// The rest of the chain, called like a function: `forward(operation)`.
///
/// A value of two words; composing a chain allocates nothing per operation.
public struct Forward: Sendable {
  private let exchanges: [any Exchange]
  private let position: Int

  /// A chain of its own, for tests of an exchange and for exchanges that hold others.
  ///
  /// - Parameter exchanges: the links, the first one the nearest to the caller.
  public init(_ exchanges: [any Exchange]) {
    self.exchanges = exchanges
    position = 0
  }

  private init(_ exchanges: [any Exchange], from position: Int) {
    self.exchanges = exchanges
    self.position = position
  }

  /// Runs the rest of the chain for an operation. An operation that no link answers gets an error
  /// result with the code ``OperationError/Code/unhandled``, never silence.
  @inline(__always)
  public func callAsFunction(_ operation: GraphQLOperation) -> ResultStream {
    guard position < exchanges.count else {
      return .just(OperationResult(error: .unhandled(operation)))
    }
    let rest = Forward(exchanges, from: position + 1)
    return exchanges[position].execute(operation, forward: rest)
  }
}
