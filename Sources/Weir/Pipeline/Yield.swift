/// Delivers the results of a ``ResultStream``'s body to the consumer.
public struct Yield: Sendable {
  private let buffer: ResultBuffer

  init(_ buffer: ResultBuffer) {
    self.buffer = buffer
  }

  /// Delivers a result without waiting for the consumer; does nothing if the consumer has left. Use
  /// it for executions with few results: those that have not been read stay in memory.
  public func callAsFunction(_ result: OperationResult) {
    buffer.append(result)
  }

  /// Delivers a result. If 16 results wait for the consumer, the call first waits until half of
  /// them are read. Use it for executions with many results: a slow consumer then slows the body
  /// down instead of filling the memory. The result is dropped if the consumer has left, or if the
  /// task is cancelled during the wait.
  public func inTurn(_ result: OperationResult) async {
    await buffer.send(result)
  }

  /// Delivers every result of a stream as it arrives, each as ``inTurn(_:)`` does.
  public func all(_ stream: ResultStream) async {
    await all(stream.makeAsyncIterator())
  }

  func all(_ iterator: consuming ResultStream.Iterator) async {
    while let result = await iterator.next(isolation: nil) { await buffer.send(result) }
  }
}
