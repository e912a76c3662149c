import Foundation

/// The one thread that touches a storage.
///
/// It does one thing after the other: so nothing is committed between a look-up and what it leads
/// to. Look-ups come before what is to be saved, but never twice.
final class StorageThread: Sendable {
  /// What its work has at hand.
  struct Access {
    let storage: any RecordStorage
    /// The storage's names; nil as long as nobody has asked for them.
    var names: RecordNames?
    var isListening = false
    /// What the storage has of what was learned; nil as long as nobody has asked.
    var learned: LearnedNames?
  }

  typealias Work = @Sendable (inout Access) -> Void

  private struct State {
    var work: [Work] = []
    var mustSave = false
    /// Let go at the end, because it holds the store's state, which holds this.
    var save: Work?
    var isRunning = false
    var isEnded = false
  }

  // Proof: `state` is read and written only while `condition` is locked.
  private nonisolated(unsafe) var state = State()
  private let condition = NSCondition()
  let storage: any RecordStorage

  init(_ storage: any RecordStorage) {
    self.storage = storage
  }

  private func withLock<Result>(_ body: (inout State) -> Result) -> Result {
    condition.lock()
    defer { condition.unlock() }
    return body(&state)
  }
}

// MARK: - From any thread

extension StorageThread {
  /// What ``save()`` does.
  func setSave(_ save: @escaping Work) {
    withLock { $0.save = save }
  }

  /// Something has changed that is to be saved soon. Never waits.
  func save() {
    resume { $0.mustSave = true }
  }

  func perform(_ work: @escaping Work) {
    resume { $0.work.append(work) }
  }

  /// The store is gone: what was asked for is still done, then the thread ends.
  func end() {
    resume { state in
      state.isEnded = true
      if !state.isRunning { state.save = nil }
    }
  }

  private func resume(_ change: (inout State) -> Void) {
    let starts = withLock { state in
      change(&state)
      condition.signal()
      guard !state.isRunning, state.mustSave || !state.work.isEmpty else { return false }
      state.isRunning = true
      return true
    }
    guard starts else { return }
    let thread = Thread { [self] in run() }
    thread.name = "weir.storage"
    thread.start()
  }
}

// MARK: - On the thread

extension StorageThread {
  private func run() {
    var access = Access(storage: storage)
    while let (work, save) = next() {
      for body in work { body(&access) }
      save?(&access)
    }
  }

  /// What there is to do; waits for it. Nil at the end, when all is done.
  private func next() -> (work: [Work], save: Work?)? {
    condition.lock()
    defer { condition.unlock() }
    while state.work.isEmpty, !state.mustSave {
      if state.isEnded {
        state.isRunning = false
        state.save = nil
        return nil
      }
      condition.wait()
    }
    defer {
      state.work = []
      state.mustSave = false
    }
    return (state.work, state.mustSave ? state.save : nil)
  }
}
