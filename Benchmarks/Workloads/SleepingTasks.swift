import Weir

/// Tasks that are woken by nothing but a continuation each, and do nothing then.
final class SleepingTasks: Sendable {
  private typealias Waiting = Locked<CheckedContinuation<Void, Never>?>

  private let waiting: [Waiting]
  private let tasks: [Task<Void, Never>]

  init(_ count: Int) {
    let waiting = (0..<count).map { _ in Waiting(nil) }
    self.waiting = waiting
    tasks = waiting.map { waiting in
      Task {
        while !Task.isCancelled {
          await withCheckedContinuation { continuation in
            waiting.withLock { $0 = continuation }
          }
        }
      }
    }
  }

  func wake(_ task: Int) {
    waiting[task].withLock { $0.take() }?.resume()
  }

  /// Waits until all of them sleep.
  func asleep() async {
    for waiting in waiting {
      while waiting.withLock({ $0 == nil }) { await Task.yield() }
    }
  }

  /// Lets the tasks end.
  func end() async {
    await asleep()
    for task in tasks { task.cancel() }
    for task in tasks.indices { wake(task) }
  }
}
