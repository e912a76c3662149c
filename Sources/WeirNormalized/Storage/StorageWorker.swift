import Foundation
import Weir

/// Lets a storage work on a thread of its own: reads on demand, and writes behind.
///
/// A write returns at once. It is committed as soon as the thread is free, together with all that
/// came meanwhile, and the last word on each key counts; so what can be lost with the process is what
/// came during one commit. Reads see what is not committed yet, and those that wait are answered
/// by one look-up together.
package final class StorageWorker: Sendable {
  private let loop: WorkerLoop

  /// A worker for a storage; `onFailure` is told of each failure whose kind is another than before,
  /// on the worker's thread.
  ///
  /// - Parameters:
  ///   - storage: what works; it is closed with the worker.
  ///   - maximumUnsavedBytes: how much may wait while commits fail. What is beyond that is given up,
  ///     and ``waitForRoom()`` waits for it while they succeed.
  ///   - onFailure: is told what the storage throws.
  package init(
    _ storage: any RecordStorage, maximumUnsavedBytes: Int = 8 << 20,
    onFailure: @escaping @Sendable (StorageError) -> Void = { _ in }
  ) {
    loop = WorkerLoop(storage, maximumUnsavedBytes, onFailure)
  }

  deinit {
    loop.end()
  }

  /// Puts and removes records soon. Never waits.
  package func write(_ batch: RecordBatch) {
    guard !batch.isEmpty else { return }
    loop.write(batch)
  }

  /// The records under these keys, nil where there is none or where it cannot be read.
  ///
  /// Does not suspend if none of the keys has to be looked up.
  package func load(_ keys: [String]) async -> [StoredRecord?] {
    if let known = loop.unsaved(keys) { return known }
    let answer = Answer<[StoredRecord?]>()
    await answer.wait { loop.enqueue(.load(keys, answer)) }
    return answer.value ?? keys.map { _ in nil }
  }

  /// Waits until all that was written before is committed; throws why it could not be, or why
  /// something was given up since the last flush.
  package func flush() async throws(StorageError) {
    let answer = Answer<StorageError>()
    await answer.wait { loop.enqueue(.flush(answer)) }
    if let error = answer.value { throw error }
  }

  /// Waits until what is not committed is within bounds.
  package func waitForRoom() async {
    guard loop.isFull else { return }
    let answer = Answer<Bool>()
    await answer.wait { loop.enqueue(.pause(answer)) }
  }

  /// Runs something else on the storage, between commits; what was written before is committed first.
  package func perform<Result: Sendable>(
    _ body: @escaping @Sendable (any RecordStorage) throws(StorageError) -> Result
  ) async throws(StorageError) -> Result {
    let answer = Answer<Swift.Result<Result, StorageError>>()
    await answer.wait {
      loop.enqueue(
        .other { storage in
          answer.give(Swift.Result { () throws(StorageError) in try body(storage) })
        } refuse: {
          answer.give(nil)
        })
    }
    guard let result = answer.value else { throw StorageError(.closed, "The storage was closed") }
    return try result.get()
  }

  /// Commits what is not committed yet, and closes the storage.
  package func close() async {
    let answer = Answer<Bool>()
    await answer.wait { loop.end(telling: answer) }
  }
}

/// A value that one thread gives and a task waits for.
final class Answer<Value: Sendable>: Sendable {
  private struct State {
    var value: Value?
    var isGiven = false
    var continuation: CheckedContinuation<Void, Never>?
  }

  private let state = Locked(State())

  var value: Value? { state.withLock { $0.value } }

  /// Calls `ask`, and suspends until the value is given.
  func wait(_ ask: () -> Void) async {
    ask()
    await withCheckedContinuation { continuation in
      let isGiven = state.withLock { state in
        if !state.isGiven { state.continuation = continuation }
        return state.isGiven
      }
      if isGiven { continuation.resume() }
    }
  }

  func give(_ value: Value?) {
    let waiting = state.withLock { state in
      state.value = value
      state.isGiven = true
      defer { state.continuation = nil }
      return state.continuation
    }
    waiting?.resume()
  }
}
