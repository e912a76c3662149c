public import Foundation
import Weir
public import WeirNormalized

/// Keeps records, and results of a document cache, in a file of the system's SQLite.
///
/// The file is opened by the first call, or by ``open()``; making a storage costs nothing and cannot
/// fail. Whatever is wrong with the file, no call crashes or hangs: each throws a `StorageError`
/// after at most ``SQLiteConfiguration/busyTimeout``, and the next call tries anew. A damaged file
/// is set aside and replaced by a new one, which takes over what can be read.
///
/// Calls may come from several threads; one is served after the other. Several storages in one
/// process, and several processes, may use one file at once; see ``externalChanges()``. Give each
/// user a file of his own. See <doc:Persistence> for what is promised and how the file is laid out.
public final class SQLiteStorage: RecordStorage {
  /// Where the file is. SQLite keeps two more beside it, with `-wal` and `-shm` at their names.
  public let fileURL: URL
  let configuration: SQLiteConfiguration
  let file: DatabaseFile
  /// Tells this storage's commits from those of others.
  let origin = Int64.random(in: 1...Int64(UInt32.max))
  let state = Locked(StorageState())
  let feed: ChangeFeed

  /// A storage in the file at `fileURL`, which is made at the first use if it is not there.
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

  /// Opens the file now, so that what is wrong with it is known at once.
  public func open() throws(StorageError) {
    try perform { _, _ in }
  }

  /// Ends all use. What was committed stays; later calls throw `StorageError.Code.closed`, and
  /// streams of changes end.
  public func close() {
    state.withLock { $0.close() }
    feed.end()
    OpenStorages.shared.remove(feed, for: file)
  }
}

/// What a storage knows, guarded by its lock.
struct StorageState {
  var openFile: OpenFile?
  var isClosed = false
  /// How often a file was found damaged while it was open. A medium that damages all that is
  /// written to it must not be filled with files that were set aside.
  var rebuilds = 0
  static let maximumRebuilds = 3
  /// The failure that was last told, so that it is told once.
  var toldFailure: StorageError.Code?
  var names = NameTable()
  var uses = RecentUses()
  var candidates = CollectionCandidates()
  /// To be told when the lock is free.
  var diagnostics: [StorageDiagnostic] = []
}

// MARK: - Access to the file

extension SQLiteStorage {
  /// Runs `body` with the open file; once more with a rebuilt one, if it finds damage.
  func perform<Result>(
    _ body: (inout StorageState, Connection) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    var diagnostics: [StorageDiagnostic] = []
    defer { tell(diagnostics) }
    return try state.withLock { (state) throws(StorageError) -> Result in
      defer { swap(&diagnostics, &state.diagnostics) }
      do throws(StorageError) {
        return try body(&state, try connection(&state))
      } catch {
        guard error.code == .corrupt, let damaged = state.openFile?.identity,
          state.rebuilds < StorageState.maximumRebuilds
        else { throw error }
        state.rebuilds += 1
        // Lets go of the file before it is renamed.
        state.openFile = nil
        return try body(&state, try reopen(&state, settingAside: (damaged, error)))
      }
    }
  }

  /// As ``perform(_:)``, for what changes records: not before the file's structure has been checked.
  func change<Result>(
    _ body: (inout StorageState, Connection) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    try perform { (state, connection) throws(StorageError) in
      try state.openFile?.check(file, upTo: configuration.maximumCheckedBytes)
      return try body(&state, connection)
    }
  }

  private func connection(_ state: inout StorageState) throws(StorageError) -> Connection {
    guard !state.isClosed else { throw StorageError(.closed, "The storage was closed") }
    if let open = state.openFile {
      // A file that was deleted or replaced must not swallow what is committed.
      if open.identity == file.identity { return open.connection }
      state.openFile = nil
      state.diagnostics.append(StorageDiagnostic(.replaced, file))
    }
    return try reopen(&state, settingAside: nil)
  }

  private func reopen(
    _ state: inout StorageState,
    settingAside damaged: (identity: DatabaseFile.Identity?, error: StorageError)?
  ) throws(StorageError) -> Connection {
    var opener = Opener(file, configuration)
    do throws(StorageError) {
      let opened = try opener.open(settingAside: damaged)
      state.openFile = opened
      state.toldFailure = nil
      state.diagnostics += opener.diagnostics
      state.candidates = CollectionCandidates()
      feed.opened(at: opened.state)
      return opened.connection
    } catch {
      state.diagnostics += opener.diagnostics
      if state.toldFailure != error.code {
        state.toldFailure = error.code
        var diagnostic = StorageDiagnostic(.unavailable, file)
        diagnostic.error = error
        state.diagnostics.append(diagnostic)
      }
      throw error
    }
  }

  /// Deletes the file and goes on with a new one, which gives out no number of a name twice either.
  func beginAnew() throws(StorageError) {
    try state.withLock { (state) throws(StorageError) in
      let nextName = try state.openFile.map { (open) throws(StorageError) in
        try FileState(from: open.connection).nextName
      }
      guard let nextName else { return }
      // A file that is deleted takes room for as long as it is open.
      state.openFile = nil
      var opener = Opener(file, configuration)
      let opened = try opener.openAnew(nextName: nextName)
      state.openFile = opened
      state.emptied(opened.state)
    }
  }

  func tell(_ diagnostics: [StorageDiagnostic]) {
    guard let onDiagnostic = configuration.onDiagnostic else { return }
    for diagnostic in diagnostics { onDiagnostic(diagnostic) }
  }
}

extension StorageState {
  /// Leaves the file clean, as far as that is possible.
  fileprivate mutating func close() {
    isClosed = true
    guard let connection = openFile?.connection else { return }
    try? connection.writing { () throws(StorageError) in
      var state = try FileState(from: connection)
      try uses.write(atMost: .max, to: connection)
      guard !state.isClean else { return }
      state.isClean = true
      try state.write(to: connection)
    }
    openFile = nil
  }
}
