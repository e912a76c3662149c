#if canImport(FoundationNetworking)
  import Foundation

  /// Runs what `URLSession` wants to tell its delegate at once, on the session's own serial queue.
  ///
  /// An ordinary delegate queue takes the chunks of a body faster than they can be handled, and
  /// holds all of them: a server that sent without end took 500 MB before its request was cancelled,
  /// and for 40 seconds no other request was heard. The delegate only stores and wakes, so it may run
  /// right there. Were the session to add its work in another way, it would run as on any queue.
  // Proof of `Sendable`: there is no state but that of the superclass, which is `Sendable`.
  final class InlineOperationQueue: OperationQueue, @unchecked Sendable {
    override func addOperation(_ block: @escaping @Sendable () -> Void) {
      block()
    }
  }
#endif
