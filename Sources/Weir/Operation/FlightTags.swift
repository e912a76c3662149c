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
  private nonisolated(unsafe) var formerDocument: JSONDocument?

  package init(_ names: Set<String>) {
    self.names = names
  }

  /// The response that a cache has already. If the new one has the same text, it is not parsed.
  package var known: JSONDocument? {
    get { Self.lock.withLock { formerDocument } }
    set { Self.lock.withLock { formerDocument = newValue } }
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
