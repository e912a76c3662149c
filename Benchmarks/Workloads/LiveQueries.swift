import Weir

/// Watched queries, each in a task of its own as in an app, and what they show.
final class LiveQueries: Sendable {
  private struct State {
    /// What has to be shown.
    var title: String?
    /// How many do not show it yet.
    var missing: Int
    var waiting: CheckedContinuation<Void, Never>?
  }

  private let state: Locked<State>
  private let tasks: [Task<Void, Never>]

  /// Starts the watches, and waits until each shows something.
  init(_ operations: [GraphQLOperation], of client: GraphQLClient) async {
    let state = Locked(State(missing: operations.count))
    self.state = state
    tasks = operations.map { operation in
      Task {
        for await result in client.watch(operation) {
          guard !result.isStale else { continue }
          Self.shown(result, state)
        }
      }
    }
    await shown()
  }

  /// From now on only results with this title count.
  func expect(title: String) {
    state.withLock { state in
      state.title = title
      state.missing = tasks.count
    }
  }

  /// Waits until all of them show what is expected.
  func shown() async {
    await withCheckedContinuation { continuation in
      let isDone = state.withLock { state in
        if state.missing > 0 { state.waiting = continuation }
        return state.missing == 0
      }
      if isDone { continuation.resume() }
    }
  }

  /// Lets the watches end.
  func cancel() {
    for task in tasks { task.cancel() }
  }

  /// Ends the watches.
  func end() async {
    cancel()
    for task in tasks { await task.value }
  }

  private static func shown(_ result: OperationResult, _ state: Locked<State>) {
    let title = result.data?["post"]?["title"]?.string
    let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard state.title == nil || state.title == title else { return nil }
      state.missing -= 1
      guard state.missing == 0 else { return nil }
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume()
  }
}
