/// The names by which everybody who shares one request wants its result to be invalidated.
///
/// Joiners add theirs until a cache takes them to store the result; whoever comes later has to
/// execute anew, so that no tag is lost.
package final class FlightTags: Sendable {
  private struct State {
    var names: Set<String>
    var isTaken = false
  }

  private let state: Locked<State>

  package init(_ names: Set<String>) {
    state = Locked(State(names: names))
  }

  /// Adds names; false if it is too late for that.
  package func add(_ names: Set<String>) -> Bool {
    names.isEmpty
      || state.withLock { state in
        if state.isTaken { return names.isSubset(of: state.names) }
        state.names.formUnion(names)
        return true
      }
  }

  /// All names; none can be added afterwards.
  package func take() -> Set<String> {
    state.withLock { state in
      state.isTaken = true
      return state.names
    }
  }
}
