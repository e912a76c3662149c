import Weir
import WeirNormalized

extension SQLiteStorage {
  /// Returns a stream of the keys of records that other storages have changed or removed since the
  /// file was opened.
  ///
  /// A change by a storage in this process arrives at once, a change by another process within
  /// ``SQLiteConfiguration/externalChangeInterval``. An element is nil if anything may have changed:
  /// because a commit was too large for the log (16 KB of keys), because more than 256 commits have
  /// passed, because two keys differ only in their Unicode spelling, or because the file was
  /// cleared, rebuilt or replaced.
  ///
  /// There may be several streams; each delivers every change. While there is one, a thread waits for
  /// changes in this process and, if there is an interval, polls the file; by default there is none, so
  /// changes by other processes are not noticed. A stream with 64 unread elements replaces the following
  /// ones with a single nil.
  public func externalChanges() -> AsyncStream<Set<String>?> {
    feed.listen { [weak self] in self?.pollChanges() }
  }

  /// Reads the log once, and notifies the listeners.
  func pollChanges() {
    // The file may not be open yet.
    guard (try? open()) != nil else { return }
    for listener in feed.listeners {
      guard let position = listener.position else { continue }
      let found = try? perform { (_, connection) throws(StorageError) in
        try ChangeLog.changes(after: position, in: connection, except: origin)
      }
      guard let found else { continue }
      feed.notify(listener, of: found.keys.flatMap(Set.init(exactly:)), upTo: found.position)
    }
  }
}
