/// The names that the executions which share one request have set to invalidate its result.
///
/// Executions add theirs until a cache takes all names to store the result. An execution that joins
/// later with further names must execute again, so that no name is lost.
package struct FlightTags: Sendable {
  private struct State {
    var names: Set<String>
    var isTaken = false
  }

  private let state: Locked<State>

  package init(_ names: Set<String>) {
    state = Locked(State(names: names))
  }

  /// Adds names; returns false if a cache has taken them already.
  package func add(_ names: Set<String>) -> Bool {
    names.isEmpty
      || state.withLock { state in
        if state.isTaken { return names.isSubset(of: state.names) }
        state.names.formUnion(names)
        return true
      }
  }

  /// Returns all names; none can be added afterwards.
  package func take() -> Set<String> {
    state.withLock { state in
      state.isTaken = true
      return state.names
    }
  }
}
