import Foundation

/// The operations that share one request, and who waits for their results.
///
/// A member takes its seat before the request is sent, and may leave at any time. What has to happen
/// outside of the lock comes back from it as a value.
final class Batch: Sendable {
  /// What operations must have in common.
  struct Key: Hashable {
    let url: URL
    let headers: HTTPHeaders
    let kind: GraphQLOperation.Kind
  }

  struct Member: Sendable {
    let operation: GraphQLOperation
    let buffer: ResultBuffer
  }

  private struct State {
    var members: [Member] = []
    /// Whether nobody may join any more.
    var isClosed = false
    /// What waits for more members, then what sends the request.
    var window: Task<Void, Never>?
    var request: Task<Void, Never>?
  }

  let key: Key
  private let state = Locked(State())

  init(_ key: Key) {
    self.key = key
  }

  /// How many members there are, and whether more may come.
  var occupancy: (count: Int, isOpen: Bool) {
    state.withLock { ($0.members.count, !$0.isClosed) }
  }

  /// Takes a seat, unless it is too late.
  func join(_ member: Member, limit: Int) -> (hasJoined: Bool, isFull: Bool) {
    state.withLock { state in
      guard !state.isClosed, state.members.count < limit else { return (false, false) }
      state.members.append(member)
      return (true, state.members.count >= limit)
    }
  }

  /// Gives a seat up: before the request is sent, the operation is left out; when the last one leaves
  /// afterwards, the request is cancelled.
  func leave(_ buffer: ResultBuffer) {
    let request = state.withLock { state -> Task<Void, Never>? in
      state.members.removeAll { $0.buffer === buffer }
      return state.members.isEmpty ? state.request : nil
    }
    request?.cancel()
  }

  /// Lets nobody join any more.
  ///
  /// - Returns: who is still there; nil if it was closed before.
  func close() -> [Member]? {
    let closed = state.withLock { state -> (members: [Member], window: Task<Void, Never>?)? in
      guard !state.isClosed else { return nil }
      state.isClosed = true
      defer { state.window = nil }
      return (state.members, state.window)
    }
    closed?.window?.cancel()
    return closed?.members
  }

  /// Notes the task that waits for more members.
  func setWindow(_ task: Task<Void, Never>) {
    let isClosed = state.withLock { state in
      if !state.isClosed { state.window = task }
      return state.isClosed
    }
    if isClosed { task.cancel() }
  }

  /// Notes the task that sends the request; it is cancelled if everybody has left meanwhile.
  func setRequest(_ task: Task<Void, Never>) {
    let isDeserted = state.withLock { state in
      state.request = task
      return state.members.isEmpty
    }
    if isDeserted { task.cancel() }
  }

  /// No more results will come.
  func end() {
    let members = state.withLock { state in
      defer { state.members = [] }
      state.request = nil
      return state.members
    }
    for member in members { member.buffer.finish() }
  }
}
