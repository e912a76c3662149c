import Foundation
import Weir

/// The one thread that touches a storage, for a store and its partitions.
///
/// It does one thing after the other, so nothing is committed between a request and what it leads
/// to. Requests come before what is to be saved, but never twice in a row. It starts when there is
/// something to do, and ends with the last store.
final class StorageThread: Sendable {
  struct Queue {
    var work: [@Sendable () -> Void] = []
    /// The links that have something to save, the main store's first.
    var saving: [StorageLink] = []
    var isRunning = false
    var users = 0
  }

  // Proof: `queue` is read and written only while `condition` is locked.
  private nonisolated(unsafe) var queue = Queue()
  private let condition = NSCondition()

  func perform(_ work: @escaping @Sendable () -> Void) {
    resume { $0.work.append(work) }
  }

  func save(_ link: StorageLink) {
    resume { queue in
      guard !queue.saving.contains(where: { $0 === link }) else { return }
      queue.saving.insert(link, at: link.parent == nil ? 0 : queue.saving.endIndex)
    }
  }

  /// Changes the queue, and starts the thread if there is work for it.
  func resume(_ change: (inout Queue) -> Void) {
    condition.lock()
    change(&queue)
    condition.signal()
    let starts = !queue.isRunning && (!queue.saving.isEmpty || !queue.work.isEmpty)
    if starts { queue.isRunning = true }
    condition.unlock()
    guard starts else { return }
    let thread = Thread { [self] in run() }
    // The app's closures run on it, such as those that name a type's group. With musl, it would be 128 KiB.
    thread.stackSize = max(thread.stackSize, 512 << 10)
    thread.start()
  }

  private func run() {
    // On Linux, a thread that has not started has no name.
    Thread.current.name = "weir.storage"
    while let (work, saving) = next() {
      withAutoreleasePool {
        for body in work { body() }
        for link in saving { link.withWorker { try? $0.save() } }
      }
    }
  }

  /// Waits for something to do; nil at the end, when everything is done.
  private func next() -> (work: [@Sendable () -> Void], saving: [StorageLink])? {
    condition.lock()
    defer { condition.unlock() }
    while queue.work.isEmpty, queue.saving.isEmpty {
      if queue.users <= 0 {
        queue.isRunning = false
        return nil
      }
      condition.wait()
    }
    defer {
      queue.work = []
      queue.saving = []
    }
    return (queue.work, queue.saving)
  }
}
