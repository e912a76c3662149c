/// Where a normalized cache keeps its records beyond the life of the process.
///
/// The cache itself works in memory; it asks a storage for records that memory lacks, all that one
/// selection level needs in one call, and hands it what has changed in batches. A storage knows
/// nothing of GraphQL: records are opaque bytes under a key, so a store on any database is small.
///
/// Every call may block. The cache makes them from a thread of its own, never from the concurrency
/// pool, but not always the same thread; several clients, and other processes, may use one
/// storage's file at once. Whatever goes wrong is a ``StorageError``; a storage that throws is
/// reported once and worked around: the cache goes on in memory.
public protocol RecordStorage: Sendable {
  /// The names that have been registered, by their numbers.
  func names() throws(StorageError) -> [UInt32: String]

  /// The numbers of these names, given out where there is none yet.
  ///
  /// Records hold numbers for field and type names. A name keeps its number for as long as any
  /// record is stored, also when two processes register it at once. No number is ever given to two
  /// names, not even after ``removeAll()``; so a record may hold a number that ``names()`` lacks
  /// (somebody has removed the names since): that field counts as missing.
  func register(_ names: [String]) throws(StorageError) -> [UInt32]

  /// The records under these keys, in their order; nil where there is none, or where its bytes are
  /// not what was committed. One transaction.
  func load(_ keys: [String]) throws(StorageError) -> [StoredRecord?]

  /// Puts and removes records, all of them or, if it throws or the process dies, none.
  func commit(_ batch: RecordBatch) throws(StorageError)

  /// The keys of all records that `selection` names, in no particular order.
  func keys(in selection: RecordSelection) throws(StorageError) -> [String]

  /// Removes everything, the names included, so that nothing can be recovered from the medium as
  /// far as the medium allows.
  func removeAll() throws(StorageError)

  /// How much is stored.
  func size() throws(StorageError) -> StorageSize

  /// Removes the records that were not used for the longest time until at most `bytes` are left or
  /// `limit` records have been removed; never one whose key is in `keeping`.
  ///
  /// The answer are the keys of the removed records. The limit is there so that no call takes long;
  /// `bytes` is what ``StorageSize/bytes`` is to come down to.
  func collect(
    toBytes bytes: Int, keeping: Set<String>, atMost limit: Int
  ) throws(StorageError) -> [String]

  /// Keys of records that somebody else has changed or removed since this storage was opened:
  /// another storage on the same file, in this process or in another one. Nil in place of keys:
  /// anything may have changed. Several consumers each get everything.
  func externalChanges() -> AsyncStream<Set<String>?>

  /// Ends all use. What was committed stays; later calls throw ``StorageError/Code/closed``.
  func close()
}

/// A record as a storage keeps it.
public struct StoredRecord: Hashable, Sendable {
  /// The record's key, such as `Todo:1`; compared byte by byte.
  public var key: String
  /// The number of its type's name.
  public var type: UInt32
  /// Its fields, in a format that only the cache reads.
  public var value: [UInt8]

  /// Makes a record.
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
  /// Records to put in the place of those with the same keys, or to add.
  public var records: [StoredRecord]
  /// Keys of records to remove; unknown ones are ignored. Removals come before ``records``.
  public var removedKeys: [String]

  /// Makes a batch.
  public init(records: [StoredRecord] = [], removedKeys: [String] = []) {
    self.records = records
    self.removedKeys = removedKeys
  }

  /// Whether there is nothing to commit.
  public var isEmpty: Bool { records.isEmpty && removedKeys.isEmpty }
}

/// Names records for enumeration and removal.
public enum RecordSelection: Hashable, Sendable {
  /// Every record.
  case all
  /// The records of a type, by the number of its name.
  case type(UInt32)
  /// The records whose keys begin with these bytes; no character is special.
  case prefix(String)
}

/// How much a storage holds.
public struct StorageSize: Hashable, Sendable {
  /// How many records.
  public var records: Int
  /// The bytes of keys and values.
  public var bytes: Int
  /// The bytes that the storage takes from its medium, where it has one.
  public var bytesOnDisk: Int

  /// Makes a size.
  public init(records: Int, bytes: Int, bytesOnDisk: Int = 0) {
    self.records = records
    self.bytes = bytes
    self.bytesOnDisk = bytesOnDisk
  }
}

/// Why a storage could not do what it was asked for.
public struct StorageError: Error, Hashable, Sendable {
  /// What kind of failure.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// A stable name for logs.
    public let rawValue: String

    /// A kind of failure of your own storage.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The file is damaged, or is no storage at all.
    public static let corrupt = Code(rawValue: "corrupt")
    /// The file was written by a later version of this library.
    public static let newerVersion = Code(rawValue: "newerVersion")
    /// Somebody else holds the file for longer than the time-out.
    public static let busy = Code(rawValue: "busy")
    /// There is no room left.
    public static let full = Code(rawValue: "full")
    /// The file may not be read or written.
    public static let notPermitted = Code(rawValue: "notPermitted")
    /// The storage was closed.
    public static let closed = Code(rawValue: "closed")
    /// Any other failure of the medium.
    public static let failed = Code(rawValue: "failed")
  }

  /// What kind of failure.
  public let code: Code
  /// What happened, for developers; never holds cached data.
  public let message: String

  /// Makes an error.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension StorageError: CustomStringConvertible {
  /// The code and the message.
  public var description: String { "\(code.rawValue): \(message)" }
}
