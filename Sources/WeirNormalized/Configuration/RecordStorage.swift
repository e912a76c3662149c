/// A storage that keeps the records of a normalized cache beyond the life of the process.
///
/// The cache itself works in memory. It requests records that memory lacks, in one call for each level of a
/// selection, and commits changes in batches. A storage knows nothing about GraphQL: records are opaque
/// bytes under a key, so little code is needed for any database.
///
/// Every call may block. The cache makes them from a thread of its own, never from the concurrency
/// pool, but not always from the same thread. Several clients and processes may use one storage's file
/// at once. Throw a ``StorageError`` if anything goes wrong: the cache reports it once and continues in
/// memory.
///
/// Several stores may use one storage at once, for example those of two clients. They tell each other what they
/// have changed, and recognize the storage by its object: pass the same object to all of them. Two wrappers
/// around one storage are two storages, of which each must report the other's changes.
public protocol RecordStorage: AnyObject, Sendable {
  /// Returns the registered names by their numbers.
  func names() throws(StorageError) -> [UInt32: String]

  /// Returns the numbers of names, and assigns numbers to new names.
  ///
  /// Records contain numbers for the names of fields and types. A name keeps its number as long as any
  /// record is stored, even if two processes register it at once. A number must never be assigned to two
  /// names, not even after ``removeAll()``. If the names are removed, a record may contain a number that
  /// ``names()`` lacks: that field counts as missing.
  func register(_ names: [String]) throws(StorageError) -> [UInt32]

  /// Returns the records with these keys, in their order, in one transaction. An element is nil if the
  /// record does not exist, or if its bytes are not those that were committed.
  func load(_ keys: [String]) throws(StorageError) -> [StoredRecord?]

  /// Writes and removes records: all of them or, if it throws or the process dies, none.
  func commit(_ batch: RecordBatch) throws(StorageError)

  /// Returns the keys of all records that `selection` contains, in no particular order.
  func keys(in selection: RecordSelection) throws(StorageError) -> [String]

  /// Removes everything, the names included. Nothing may be recoverable from the medium, as far as the
  /// medium allows that. Only the store calls it: it keeps the numbers of names as long as it has not removed
  /// them itself, or ``externalChanges()`` has delivered nil.
  func removeAll() throws(StorageError)

  /// Returns how much is stored.
  func size() throws(StorageError) -> StorageSize

  /// Removes the least recently used records until at most `bytes` are left or `limit` records have been
  /// removed; never one whose key is in `keeping`.
  ///
  /// Returns the keys of the removed records. The limit keeps each call short; `bytes` is the target for
  /// ``StorageSize/bytes``.
  func collect(
    toBytes bytes: Int, keeping: Set<String>, atMost limit: Int
  ) throws(StorageError) -> [String]

  /// Returns the keys of records that others change or remove from this call on: another storage on the
  /// same file, in this process or in another one. Earlier changes, since this storage was opened, may be
  /// among them. Nil in place of keys means that anything
  /// may have changed; use it also for two keys that differ only in their Unicode spelling, of which a
  /// set would contain one. An empty set means that a storage that refused commits accepts them again.
  /// Each consumer gets all elements. Do not report what ``collect(toBytes:keeping:atMost:)`` removes: it is
  /// still right, and a cache that shows it or has pinned it keeps it in memory.
  func externalChanges() -> AsyncStream<Set<String>?>

  /// Closes the storage. Committed records stay; later calls throw ``StorageError/Code/closed``.
  func close()
}

/// A record in a storage.
public struct StoredRecord: Hashable, Sendable {
  /// The record's key, such as `Todo:1`; compared byte by byte.
  public var key: String
  /// The number of its type's name.
  public var type: UInt32
  /// Its fields, in a format that only the cache reads.
  public var value: [UInt8]

  /// Creates a record.
  public init(key: String, type: UInt32, value: [UInt8]) {
    self.key = key
    self.type = type
    self.value = value
  }
}

extension StoredRecord {
  /// All its fields are stale from now on.
  mutating func markAsStale() {
    if StoredValue.isReadable(value) { value[1] |= StoredValue.stale }
  }
}

/// Changes that are committed together.
public struct RecordBatch: Hashable, Sendable {
  /// Records to add, or to put in the place of those with the same keys.
  public var records: [StoredRecord]
  /// Keys of records to remove; unknown ones are ignored. Removals come before ``records``.
  public var removedKeys: [String]

  /// Creates a batch.
  public init(records: [StoredRecord] = [], removedKeys: [String] = []) {
    self.records = records
    self.removedKeys = removedKeys
  }

  /// Whether there is nothing to commit.
  public var isEmpty: Bool { records.isEmpty && removedKeys.isEmpty }
}

/// A selection of records to enumerate or remove.
public enum RecordSelection: Hashable, Sendable {
  /// Every record.
  case all
  /// The records of a type, by the number of its name.
  case type(UInt32)
  /// The records whose keys begin with a text, byte by byte; no character is special.
  case prefix(String)
}

/// How much a storage holds.
public struct StorageSize: Hashable, Sendable {
  /// The number of records.
  public var records: Int
  /// The bytes of keys and values.
  public var bytes: Int
  /// The bytes that the storage occupies on its medium, if it has one.
  public var bytesOnDisk: Int

  /// Creates a size.
  public init(records: Int, bytes: Int, bytesOnDisk: Int = 0) {
    self.records = records
    self.bytes = bytes
    self.bytesOnDisk = bytesOnDisk
  }
}

/// The failure of a storage.
public struct StorageError: Error, Hashable, Sendable {
  /// The kind of failure.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// A stable name for logs.
    public let rawValue: String

    /// A kind of failure of your own storage.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The file is damaged, or not a storage.
    public static let corrupt = Code(rawValue: "corrupt")
    /// The file was written by a later version of this library.
    public static let newerVersion = Code(rawValue: "newerVersion")
    /// Another process holds the file for longer than the timeout.
    public static let busy = Code(rawValue: "busy")
    /// There is no space left.
    public static let full = Code(rawValue: "full")
    /// The file may not be read or written.
    public static let notPermitted = Code(rawValue: "notPermitted")
    /// The storage was closed.
    public static let closed = Code(rawValue: "closed")
    /// The storage was suspended, and has not been resumed.
    public static let suspended = Code(rawValue: "suspended")
    /// Any other failure of the medium.
    public static let failed = Code(rawValue: "failed")
  }

  /// The kind of failure.
  public let code: Code
  /// A description for developers, without cached data.
  public let message: String

  /// Creates an error.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension StorageError: CustomStringConvertible {
  /// The code and the message.
  public var description: String { "\(code.rawValue): \(message)" }
}
