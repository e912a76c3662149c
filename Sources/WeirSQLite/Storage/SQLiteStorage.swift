public import Foundation
import Weir
public import WeirNormalized

/// A storage that keeps records, and results of a document cache, in an SQLite file.
///
/// The first call opens the file; use ``open()`` to do so earlier. Making a storage is cheap and
/// cannot fail. A problem with the file never makes a call crash or hang: the call throws a
/// `StorageError`, and no wait for others takes longer than ``SQLiteConfiguration/busyTimeout``; the next call tries again. A
/// damaged file is set aside and replaced by a new one with all records that could be recovered. A file
/// that no storage has made is left alone, and every call throws.
///
/// Several threads may call a storage; it runs one call at a time. Several storages in one process,
/// and several processes, may use one file at once; see ``externalChanges()``. Use a separate file
/// for each user. See <doc:Persistence> for the guarantees and for the layout of the file.
public final class SQLiteStorage: RecordStorage {
  /// The location of the file. SQLite keeps two more files beside it, whose names end with `-wal` and
  /// `-shm`. An empty file whose name ends with `-weir` shows that the file belongs to a storage, even if
  /// it is damaged.
  public let fileURL: URL
  let configuration: SQLiteConfiguration
  let file: DatabaseFile
  /// Identifies the commits of this storage in the log of changes.
  let origin = Int64.random(in: 1...Int64(UInt32.max))
  private let state = Locked(State())
  let feed: ChangeFeed

  /// Makes a storage. Its first use creates the file if it is missing.
  public init(fileURL: URL, configuration: SQLiteConfiguration = SQLiteConfiguration()) {
    self.fileURL = fileURL
    self.configuration = configuration
    file = DatabaseFile(fileURL)
    feed = ChangeFeed(interval: configuration.externalChangeInterval)
    OpenStorages.shared.add(feed, for: file)
  }

  deinit {
    close()
  }

  /// Opens the file now instead of with the next call.
  ///
  /// - Throws: `StorageError` if the file cannot be used.
  public func open() throws(StorageError) {
    try perform { _, _ in }
  }

  /// Closes the file. Later calls throw `StorageError.Code.closed`, and streams of changes end.
  public func close() {
    state.withLock { state in
      state.isClosed = true
      state.closeFile()
    }
    feed.end()
    OpenStorages.shared.remove(feed, for: file)
  }

  /// Closes the file until ``resume()`` is called; meanwhile calls throw `StorageError.Code.suspended`.
  ///
  /// Call it before the system suspends your app if the file is in the container of an app group: iOS
  /// ends an app that has a file there locked while it is suspended. A store continues in memory, and
  /// commits what has changed meanwhile after ``resume()``. To lose nothing if the app is ended,
  /// call `try await store.flush()` first.
  ///
  /// It waits for a call that is running, and for the file to be closed: some milliseconds.
  public func suspend() {
    state.withLock { state in
      state.isSuspended = true
      state.closeFile()
    }
  }

  /// Ends the effect of ``suspend()``: the next call opens the file, and the streams of
  /// ``externalChanges()`` deliver what has changed meanwhile.
  public func resume() {
    let wasSuspended = state.withLock { state in
      defer { state.isSuspended = false }
      return state.isSuspended
    }
    if wasSuspended { feed.resume() }
  }
}

extension SQLiteStorage {
  /// The state that the lock protects.
  struct State {
    var openFile: OpenFile?
    var isClosed = false
    var isSuspended = false
    /// The number of times that an open file was found to be damaged. The limit keeps a broken disk
    /// from filling up with files that were set aside.
    var rebuilds = 0
    static let maximumRebuilds = 3
    /// The last reported reason why the file cannot be used; each is reported once.
    var reportedFailure: StorageError.Code?
    /// The snapshot that was saved last.
    var lastSave: SnapshotOrigin?
    var names = NameTable()
    /// The generation of the file whose names were read last.
    var generation: Int64?
    /// Why nothing can be read with these names: another file with other names has replaced the file.
    var conflict: StorageError?
    var uses = RecentUses()
    /// The records that the next collection removes, the least recently used one first.
    var candidates: ArraySlice<CollectionCandidate> = []
    /// The problems to report after the lock has been released.
    var diagnostics: [StorageDiagnostic] = []
  }
}

// MARK: - Access to the file

extension SQLiteStorage {
  /// Runs `work` with the open file; if it finds damage, runs it again with a rebuilt file. If names are
  /// ignored, the file may be another one than before, with other names.
  func perform<Result>(
    ignoresNames: Bool = false, _ work: (inout State, Connection) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    func body(_ state: inout State, _ connection: Connection) throws(StorageError) -> Result {
      if let conflict = state.conflict, !ignoresNames { throw conflict }
      return try work(&state, connection)
    }
    var diagnostics: [StorageDiagnostic] = []
    defer { report(diagnostics) }
    return try withState { (state) throws(StorageError) -> Result in
      defer { swap(&diagnostics, &state.diagnostics) }
      do throws(StorageError) {
        return try body(&state, try connection(&state))
      } catch {
        if error.code == .replaced { return try body(&state, try reopenReplaced(&state)) }
        guard error.code == .corrupt, let damaged = state.openFile?.identity,
          state.rebuilds < State.maximumRebuilds
        else { throw error }
        state.rebuilds += 1
        // Closes the file before it is renamed.
        state.openFile = nil
        return try body(&state, try reopen(&state, settingAside: (damaged, error)))
      }
    }
  }

  /// Like ``perform(_:)``, for changes of records: checks the structure of the file first.
  func change<Result>(
    _ body: (inout State, Connection) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    try perform { (state, connection) throws(StorageError) in
      try state.openFile?.check(file, upTo: configuration.maximumCheckedBytes)
      return try body(&state, connection)
    }
  }

  /// Runs `body` with the lock held. The messages of errors begin with the path of the file.
  private func withState<Result>(
    _ body: (inout State) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    do throws(StorageError) {
      return try state.withLock(body)
    } catch {
      throw StorageError(
        error.code, "\(fileURL.isFileURL ? file.path : "\(fileURL)"): \(error.message)")
    }
  }

  private func connection(_ state: inout State) throws(StorageError) -> Connection {
    guard !state.isClosed else { throw StorageError(.closed, "The storage is closed") }
    guard !state.isSuspended else {
      throw StorageError(.suspended, "The storage is suspended; call resume() first")
    }
    if let open = state.openFile {
      // Commits to a file that was deleted or replaced would be lost.
      guard open.identity == file.identity else { return try reopenReplaced(&state) }
      // Only if that has failed when the file was opened.
      try state.takeNames(of: open)
      open.connection.limitSteps(forBytes: file.size("") + file.size("-wal"))
      return open.connection
    }
    return try reopen(&state, settingAside: nil)
  }

  private func reopenReplaced(_ state: inout State) throws(StorageError) -> Connection {
    state.openFile = nil
    state.diagnostics.append(StorageDiagnostic(.replaced, file))
    return try reopen(&state, settingAside: nil)
  }

  private func reopen(
    _ state: inout State,
    settingAside damaged: (identity: DatabaseFile.Identity?, error: StorageError)?
  ) throws(StorageError) -> Connection {
    var opener = Opener(file, configuration)
    do throws(StorageError) {
      let opened = try opener.open(settingAside: damaged)
      opened.connection.limitSteps(forBytes: file.size("") + file.size("-wal"))
      state.openFile = opened
      do throws(StorageError) {
        try state.takeNames(of: opened)
      } catch {
        // The next call tries again, with a rebuilt file if this one is damaged.
        if error.code != .corrupt { state.openFile = nil }
        throw error
      }
      state.reportedFailure = nil
      state.diagnostics += opener.diagnostics
      state.candidates = []
      feed.opened(at: opened.state)
      return opened.connection
    } catch {
      state.diagnostics += opener.diagnostics
      if state.reportedFailure != error.code {
        state.reportedFailure = error.code
        state.diagnostics.append(StorageDiagnostic(.unavailable, file, error: error))
      }
      throw error
    }
  }

  /// Replaces the file by a new one, which continues the numbers of names.
  ///
  /// - Returns: false if the file could not be opened or read. It was deleted, unless nobody can say whether
  ///   it is one of a storage.
  func replaceFile() throws(StorageError) -> Bool {
    try withState { (state) throws(StorageError) in
      let nextName = (state.openFile ?? openWithoutFingerprints()).flatMap {
        try? FileState(from: $0.connection).nextName
      }
      // A deleted file takes up space while it is open.
      state.openFile = nil
      guard let nextName else {
        // It may be damaged, and have no room for a rebuild: none may bring back what is removed now.
        try Opener(file, configuration).removeFile()
        return false
      }
      var opener = Opener(file, configuration)
      let opened = try opener.openReplacement(nextName: nextName)
      state.openFile = opened
      (state.reportedFailure, state.rebuilds) = (nil, 0)
      state.reset(to: opened.state)
      feed.opened(at: opened.state)
      return true
    }
  }

  /// Opens the file if all that it has no room for are new fingerprints.
  private func openWithoutFingerprints() -> OpenFile? {
    var configuration = configuration
    configuration.fingerprints = [:]
    var opener = Opener(file, configuration)
    return try? opener.open()
  }
}

extension SQLiteStorage.State {
  /// Writes pending uses, marks the file as clean and closes it.
  fileprivate mutating func closeFile() {
    guard let connection = openFile?.connection else { return }
    _ = try? FileState.change(in: connection) { (state) throws(StorageError) in
      try uses.write(atMost: .max, to: connection)
      state.isClean = true
    }
    openFile = nil
  }
}
