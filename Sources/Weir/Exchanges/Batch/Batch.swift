import Foundation

/// The operations that share one request.
///
/// An operation joins before the request is sent, and may leave at any time.
final class Batch: Sendable {
  /// The properties that the operations of a batch have in common.
  struct Key: Hashable {
    let url: URL
    let headers: [HTTPHeaders.Field]
    let kind: GraphQLOperation.Kind
    let session: Session
  }

  struct Member: Sendable {
    let operation: GraphQLOperation
    let buffer: ResultBuffer
  }

  private struct State {
    var members: [Member] = []
    var isClosed = false
    /// The task that waits for more members; after closing, the one that sends the request.
    var task: Task<Void, Never>?
  }

  let key: Key
  private let state = Locked(State())

  init(_ key: Key) {
    self.key = key
  }

  /// The number of members, and whether others may join.
  var occupancy: (count: Int, isOpen: Bool) {
    state.withLock { ($0.members.count, !$0.isClosed) }
  }

  /// Adds a member, unless the batch is closed or full.
  func join(_ member: Member, limit: Int) -> (hasJoined: Bool, isFull: Bool) {
    state.withLock { state in
      guard !state.isClosed, state.members.count < limit else { return (false, false) }
      state.members.append(member)
      return (true, state.members.count >= limit)
    }
  }

  /// Removes a member. Before the request is sent, this leaves out its operation; afterwards, the
  /// request is cancelled when the last member leaves.
  func leave(_ buffer: ResultBuffer) {
    // Released without the lock: its context may hold objects of the app.
    let (request, left) = state.withLock { state -> (Task<Void, Never>?, Member?) in
      guard let position = state.members.firstIndex(where: { $0.buffer.id == buffer.id }) else {
        return (nil, nil)
      }
      let left = state.members.remove(at: position)
      return (state.isClosed && state.members.isEmpty ? state.task : nil, left)
    }
    withExtendedLifetime(left) {}
    request?.cancel()
  }

  /// Closes the batch to further members.
  ///
  /// - Returns: The members; nil if the batch was closed before.
  func close() -> [Member]? {
    let closed = state.withLock { state -> (members: [Member], window: Task<Void, Never>?)? in
      guard !state.isClosed else { return nil }
      state.isClosed = true
      defer { state.task = nil }
      return (state.members, state.task)
    }
    closed?.window?.cancel()
    return closed?.members
  }

  /// Sets the task that waits for more members; cancels it if the batch is closed already.
  func setWindow(_ task: Task<Void, Never>) {
    let isLate = state.withLock { state in
      if !state.isClosed { state.task = task }
      return state.isClosed
    }
    if isLate { task.cancel() }
  }

  /// Sets the task that sends the request; cancels it if all members have left meanwhile.
  func setRequest(_ task: Task<Void, Never>) {
    let isDeserted = state.withLock { state in
      state.task = task
      return state.members.isEmpty
    }
    if isDeserted { task.cancel() }
  }

  /// Ends the results of all members.
  func end() {
    let members = state.withLock { state in
      defer { state.members = [] }
      state.task = nil
      return state.members
    }
    for member in members { member.buffer.finish() }
  }
}
