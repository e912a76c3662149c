import Weir

/// Views as an app has them: each iterates a watch in a task of its own, looks at
/// every field of what it gets, and holds it until the next result arrives.
final class LiveViews<Data: Decodable & Sendable & Inspectable>: Sendable {
  private struct State {
    /// The text that is waited for; nil until each view shows something.
    var awaited: String?
    /// The data that each view shows.
    var shown: [Data?]
    /// The sum over everything that was looked at.
    var checksum = 0
  }

  private let state: Locked<State>
  private let countdown: Countdown
  private let tasks: [Task<Void, Never>]

  /// Starts the views, and waits until each shows something.
  ///
  /// - Parameters:
  ///   - watches: what the views iterate.
  ///   - place: where they do so.
  ///   - text: the part of the data that tells whether a view is up to date.
  init(
    _ watches: [TypedResultStream<Data>], on place: Place,
    text: @escaping @Sendable (Data) -> String?
  ) async {
    let countdown = Countdown(watches.count)
    let state = Locked(State(shown: Array(repeating: nil, count: watches.count)))
    self.state = state
    self.countdown = countdown
    tasks = watches.enumerated().map { index, watch in
      place.start {
        for await result in watch {
          if Self.show(result, in: index, text, state) { countdown.arrive() }
        }
      }
    }
    _ = await shown()
  }

  /// Shows the result in a view; returns whether it is the one that is waited for.
  ///
  /// A function of its own, as in an app, so that the view's task has no room for parts of the data while
  /// it waits.
  @inline(never)
  private static func show(
    _ result: TypedResult<Data>, in view: Int, _ text: (Data) -> String?, _ state: Locked<State>
  ) -> Bool {
    guard let data = result.data, !result.isStale else { return false }
    let checksum = data.checksum
    let text = text(data)
    return state.withLock { state in
      let isFirst = state.shown[view] == nil
      state.shown[view] = data
      state.checksum &+= checksum
      return state.awaited == nil ? isFirst : state.awaited == text
    }
  }

  /// Makes ``shown()`` wait until `count` views show this text.
  func expect(_ text: String, in count: Int) {
    state.withLock { $0.awaited = text }
    countdown.restart(count)
  }

  /// Returns when the last of them showed it.
  func shown() async -> ContinuousClock.Instant {
    await countdown.done()
  }

  /// Lets the views end.
  func cancel() {
    for task in tasks { task.cancel() }
  }

  /// Ends the views, and waits until they have ended.
  func end() async {
    cancel()
    for task in tasks { await task.value }
    use(state.withLock { $0.checksum })
  }
}
