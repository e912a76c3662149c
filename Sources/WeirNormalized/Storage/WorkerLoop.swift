import Foundation

/// The thread of a ``StorageWorker``, and what waits for it.
final class WorkerLoop: Sendable {
  enum Job {
    case load([String], Answer<[StoredRecord?]>)
    /// With a value if it failed.
    case flush(Answer<StorageError>)
    /// Answered after the next commit, whatever becomes of it.
    case pause(Answer<Bool>)
    case other((any RecordStorage) -> Void, refuse: () -> Void)
  }

  private struct State {
    var jobs: [Job] = []
    var unsaved = UnsavedRecords()
    /// What is being committed just now.
    var saving = UnsavedRecords()
    /// Whether the last commit failed: then only a new write or a flush tries again.
    var isStuck = false
    /// Why something was given up, until somebody has been told.
    var loss: StorageError?
    var isRunning = false
    var isEnded = false
    var ends: [Answer<Bool>] = []
  }

  // Proof: `state` is read and written only while `condition` is locked.
  private nonisolated(unsafe) var state = State()
  private let condition = NSCondition()
  private let storage: any RecordStorage
  private let maximumUnsavedBytes: Int
  private let onFailure: @Sendable (StorageError) -> Void

  init(
    _ storage: any RecordStorage, _ maximumUnsavedBytes: Int,
    _ onFailure: @escaping @Sendable (StorageError) -> Void
  ) {
    self.storage = storage
    self.maximumUnsavedBytes = maximumUnsavedBytes
    self.onFailure = onFailure
  }

  private func withLock<Result>(_ body: (inout State) -> Result) -> Result {
    condition.lock()
    defer { condition.unlock() }
    return body(&state)
  }
}

// MARK: - From any thread

extension WorkerLoop {
  var isFull: Bool { withLock { $0.unsaved.bytes + $0.saving.bytes > maximumUnsavedBytes } }

  /// The records under the keys, if none of them has to be looked up.
  func unsaved(_ keys: [String]) -> [StoredRecord?]? {
    withLock { state in
      var records: [StoredRecord?] = []
      for key in keys {
        guard let known = state.unsaved[key] ?? state.saving[key] else { return nil }
        records.append(known)
      }
      return records
    }
  }

  func write(_ batch: RecordBatch) {
    let starts = withLock { state in
      guard !state.isEnded else { return false }
      state.unsaved.add(batch)
      state.isStuck = false
      return wake(&state)
    }
    if starts { start() }
  }

  func enqueue(_ job: Job) {
    let (starts, isRefused) = withLock { state in
      guard !state.isEnded else { return (false, true) }
      state.jobs.append(job)
      return (wake(&state), false)
    }
    if isRefused { Self.refuse(job) }
    if starts { start() }
  }

  func end(telling answer: Answer<Bool>? = nil) {
    let (starts, isOver) = withLock { state in
      let isOver = state.isEnded && !state.isRunning
      state.isEnded = true
      if let answer, !isOver { state.ends.append(answer) }
      return (isOver ? false : wake(&state), isOver)
    }
    if isOver { answer?.give(true) }
    if starts { start() }
  }

  /// Whether a thread has to be started; within the lock.
  private func wake(_ state: inout State) -> Bool {
    condition.signal()
    defer { state.isRunning = true }
    return !state.isRunning
  }

  private static func refuse(_ job: Job) {
    let error = StorageError(.closed, "The storage was closed")
    switch job {
    case .load(_, let answer): answer.give(nil)
    case .flush(let answer): answer.give(error)
    case .pause(let answer): answer.give(false)
    case .other(_, let refuse): refuse()
    }
  }

  private func start() {
    let thread = Thread { [self] in run() }
    thread.name = "weir.storage"
    thread.start()
  }
}

// MARK: - On the thread

extension WorkerLoop {
  private func run() {
    var reporter = FailureReporter(onFailure)
    while let jobs = next() {
      load(jobs, &reporter)
      let error = commit(&reporter)
      for job in jobs { finish(job, error) }
    }
    storage.close()
    let ends = withLock { state in
      state.isRunning = false
      defer { state.ends = [] }
      return state.ends
    }
    for end in ends { end.give(true) }
  }

  /// What there is to do; waits for it. Nil at the end, when all is done.
  private func next() -> [Job]? {
    condition.lock()
    defer { condition.unlock() }
    while state.jobs.isEmpty, state.unsaved.isEmpty || state.isStuck {
      if state.isEnded { return nil }
      condition.wait()
    }
    defer { state.jobs = [] }
    return state.jobs
  }

  /// One look-up for all that wait.
  private func load(_ jobs: [Job], _ reporter: inout FailureReporter) {
    let wanted = jobs.flatMap { job -> [String] in
      if case .load(let keys, _) = job { keys } else { [] }
    }
    guard !wanted.isEmpty else { return }
    var found: [StoredRecord?]?
    do throws(StorageError) {
      found = try storage.load(wanted)
    } catch {
      reporter.report(error)
    }
    var rest = (found ?? wanted.map { _ in nil })[...]
    for case .load(let keys, let answer) in jobs {
      let records = Array(rest.prefix(keys.count))
      rest = rest.dropFirst(keys.count)
      answer.give(newest(keys, records))
    }
  }

  private func newest(_ keys: [String], _ stored: [StoredRecord?]) -> [StoredRecord?] {
    withLock { state in
      zip(keys, stored).map { key, record in state.unsaved[key] ?? state.saving[key] ?? record }
    }
  }

  private func commit(_ reporter: inout FailureReporter) -> StorageError? {
    let batch = withLock { state in
      swap(&state.saving, &state.unsaved)
      return state.saving.batch
    }
    guard !batch.isEmpty else { return nil }
    do throws(StorageError) {
      try storage.commit(batch)
      withLock { $0.saving = UnsavedRecords() }
      reporter.succeeded()
      return nil
    } catch {
      reporter.report(error)
      keep(after: error)
      return error
    }
  }

  /// What could not be committed waits for the next try, within bounds.
  private func keep(after error: StorageError) {
    withLock { state in
      state.isStuck = true
      let isFinal = error.code == .closed || error.code == .newerVersion || state.isEnded
      if isFinal || state.saving.bytes + state.unsaved.bytes > maximumUnsavedBytes {
        state.unsaved = UnsavedRecords()
        state.loss = error
      } else {
        state.unsaved.addOlder(state.saving)
      }
      state.saving = UnsavedRecords()
    }
  }

  private func finish(_ job: Job, _ error: StorageError?) {
    switch job {
    case .load: break
    case .flush(let answer):
      let loss = takeLoss()
      answer.give(error ?? loss)
    case .pause(let answer): answer.give(true)
    case .other(let body, _): body(storage)
    }
  }
}

extension WorkerLoop {
  private func takeLoss() -> StorageError? {
    withLock { state in
      defer { state.loss = nil }
      return state.loss
    }
  }
}

/// Tells a failure once, until it is another or has passed.
private struct FailureReporter {
  private var told: StorageError.Code?
  private let onFailure: @Sendable (StorageError) -> Void

  init(_ onFailure: @escaping @Sendable (StorageError) -> Void) {
    self.onFailure = onFailure
  }

  mutating func report(_ error: StorageError) {
    guard told != error.code else { return }
    told = error.code
    onFailure(error)
  }

  mutating func succeeded() {
    told = nil
  }
}
