/// What the exchanges need to know of a request that several executions may share.
///
/// Executions add the names that invalidate the result (``OperationContext/additionalTypenames``) until a
/// cache takes all of them to store it. An execution that joins later with further names must execute
/// again, so that no name is lost.
///
/// Proof: the variables are read and written only while `lock` is held. So no two accesses overlap, and
/// the runtime need not look for any.
package class SharedRequest: @unchecked Sendable {
  /// One lock for all: it is held for a few instructions, and a lock for each flight would cost more
  /// than the names, which are nearly always empty.
  private static let lock = Locked(())

  @exclusivity(unchecked) private var names: Set<String>
  private var isTaken = false
  @exclusivity(unchecked) private var formerData: JSON?

  init(_ names: Set<String>) {
    self.names = names
  }

  /// The data that a cache has already: a part of the last response, or a document of its own. A
  /// response with the same text is not parsed.
  package final var former: JSON? {
    get { Self.lock.withLock { formerData } }
    set { Self.lock.withLock { formerData = newValue } }
  }

  /// Adds names; returns false if a cache has taken them already.
  final func add(_ names: Set<String>) -> Bool {
    names.isEmpty
      || Self.lock.withLock {
        if isTaken { return names.isSubset(of: self.names) }
        self.names.formUnion(names)
        return true
      }
  }

  /// Returns all names; none can be added afterwards.
  final func take() -> Set<String> {
    Self.lock.withLock {
      isTaken = true
      return names
    }
  }
}
