import WeirNormalized

extension SQLiteStorage {
  /// Keys of records that others have changed or removed since the file was opened: another storage
  /// in this process (told at once), or another process (told within
  /// ``SQLiteConfiguration/externalChangeInterval``). Nil: anything may have changed, because a
  /// commit was too large for the log (16 KB of keys), too many have passed (256), or the file was
  /// cleared, rebuilt or replaced.
  ///
  /// While anybody listens, one thread looks at the file; each listener gets everything. A listener
  /// that lets 64 tellings wait gets nil in place of the further ones.
  public func externalChanges() -> AsyncStream<Set<String>?> {
    feed.listen { [weak self] in self?.lookForChanges() }
  }

  /// Looks at the file once, and tells those who listen.
  func lookForChanges() {
    // Opens the file, where nobody has yet.
    guard (try? open()) != nil else { return }
    for listener in feed.listeners {
      guard let told = listener.told else { continue }
      let found = try? perform { (_, connection) throws(StorageError) in
        try ChangeLog.changes(after: told, in: connection, except: origin)
      }
      if let found { feed.tell(listener, found.keys, upTo: found.position) }
    }
  }
}
