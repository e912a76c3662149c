#if canImport(FoundationNetworking)
  import Foundation

  /// Runs the session's calls of its delegate at once, on the session's own serial queue.
  ///
  /// An ordinary delegate queue accepts chunks faster than the delegate can handle them, and holds
  /// all of them: a server that sent without end occupied 500 MB before its request was cancelled,
  /// and no other request made progress for 40 seconds. The delegate only stores data and wakes
  /// tasks, so it may run on the session's queue. Work that a later Foundation adds by another
  /// method would run as on any operation queue.
  // Proof: it adds no state to its superclass, which is `Sendable`.
  final class InlineOperationQueue: OperationQueue, @unchecked Sendable {
    override func addOperation(_ block: @escaping @Sendable () -> Void) {
      block()
    }
  }
#endif
