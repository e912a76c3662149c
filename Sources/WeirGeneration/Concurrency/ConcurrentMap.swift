import Dispatch

extension Array where Element: Sendable {
  /// Maps the elements on all processor cores.
  ///
  /// - Parameters:
  ///   - tasks: how many calls may run at a time; 1 to call it for one element after another.
  ///   - transform: what to call for each element, once.
  /// - Returns: the results in the order of the elements.
  package func concurrentMap<Result: Sendable>(
    tasks: Int = .max, _ transform: @Sendable (Element) -> Result
  ) -> [Result] {
    guard Swift.min(tasks, count) > 1 else { return map(transform) }
    // Enough pieces that all cores end at about the same time.
    let pieces = Swift.min(tasks, count, 64)
    let results = (0..<pieces).map { _ in Slot<Result>() }
    DispatchQueue.concurrentPerform(iterations: pieces) { piece in
      results[piece].values = stride(from: piece, to: count, by: pieces).map { transform(self[$0]) }
    }
    return indices.map { results[$0 % pieces].values[$0 / pieces] }
  }
}

/// The results of one piece.
///
/// Proof: only the task of that piece writes them, and `concurrentMap` reads them when
/// `concurrentPerform` has returned, which is when all tasks have ended.
private final class Slot<Result: Sendable>: @unchecked Sendable {
  var values: [Result] = []
}
