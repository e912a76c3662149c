/// The names that the executions which share one request have set to invalidate its result.
///
/// Executions add theirs until a cache takes all names to store the result. An execution that joins
/// later with further names must execute again, so that no name is lost.
package final class FlightTags: Sendable {
  /// One lock for all: it is held for a few instructions, and a lock for each flight would cost more
  /// than the tags, which are nearly always empty.
  private static let lock = Locked(())

  // Proof: read and written only while `lock` is held.
  private nonisolated(unsafe) var names: Set<String>
  // Proof: as `names`.
  private nonisolated(unsafe) var isTaken = false
  // Proof: as `names`.
  private nonisolated(unsafe) var formerData: JSON?

  package init(_ names: Set<String>) {
    self.names = names
  }

  /// The data that a cache has already: a part of the last response, or a document of its own. A
  /// response with the same text is not parsed.
  package var known: JSON? {
    get { Self.lock.withLock { formerData } }
    set { Self.lock.withLock { formerData = newValue } }
  }

  /// Adds names; returns false if a cache has taken them already.
  package func add(_ names: Set<String>) -> Bool {
    names.isEmpty
      || Self.lock.withLock {
        if isTaken { return names.isSubset(of: self.names) }
        self.names.formUnion(names)
        return true
      }
  }

  /// Returns all names; none can be added afterwards.
  package func take() -> Set<String> {
    Self.lock.withLock {
      isTaken = true
      return names
    }
  }
}
