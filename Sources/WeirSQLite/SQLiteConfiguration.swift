/// How an ``SQLiteStorage`` treats its file.
public struct SQLiteConfiguration: Sendable {
  /// How long a call waits for another process that is writing, before it throws
  /// `StorageError.Code.busy`. Default two seconds.
  public var busyTimeout: Duration = .seconds(2)

  /// Whether a commit waits until the medium has the data.
  ///
  /// Default false: what was committed survives the end of the process, however violent; a power
  /// failure or a crash of the system may take back the last commits, but leaves a consistent file.
  /// True costs one `fsync` a commit, some milliseconds.
  public var survivesPowerLoss = false

  /// Whether removed data are overwritten with zeros. Default true; ``SQLiteStorage/removeAll()``
  /// always does.
  public var overwritesRemovedData = true

  /// A hard bound on the file, in bytes; a commit that would grow it further throws
  /// `StorageError.Code.full`. Default nil. (The cache's disk budget is another thing: it removes
  /// what was not used for long.)
  public var maximumFileBytes: Int?

  /// How large a file is checked as a whole when it was not closed, and otherwise before the first
  /// change, in bytes. Default 64 MiB, which takes about a tenth of a second. Damage in a larger one
  /// is noticed when it is met.
  public var maximumCheckedBytes = 64 << 20

  /// How often the file is looked at for changes by other processes, while anybody listens to
  /// ``SQLiteStorage/externalChanges()``. Default 200 milliseconds; a look takes some microseconds.
  /// Changes by other storages in the same process are told at once.
  public var externalChangeInterval: Duration = .milliseconds(200)

  /// What shape each type has in this version of the app, in any form that changes when the shape
  /// does. When the file is opened, the records of a type whose fingerprint is another than before
  /// are dropped, and the others stay. Types that are not named here are not checked. A type whose key
  /// or group has changed in the cache's configuration needs another one, too.
  public var fingerprints: [String: String] = [:]

  /// What values go through on their way to and from the file, such as encryption.
  public var valueTransform: ValueTransform?

  /// Is told what went wrong and was worked around. Called on the thread that met it, with no lock
  /// held.
  public var onDiagnostic: (@Sendable (StorageDiagnostic) -> Void)?

  /// The defaults.
  public init() {}
}

/// What values go through on their way to and from the file.
///
/// Keys, names and sizes stay as they are: an entity's type and id can be read without it.
public struct ValueTransform: Sendable {
  let seal: @Sendable (_ value: [UInt8], _ key: [UInt8]) throws -> [UInt8]
  let open: @Sendable (_ value: [UInt8], _ key: [UInt8]) throws -> [UInt8]

  /// A pair of closures, `open` being the inverse of `seal`; called from several threads at once.
  ///
  /// Each gets the value and the bytes of its key, which authenticated encryption should bind to the
  /// value. If `seal` throws, the commit fails; if `open` throws, the record counts as missing, and
  /// a diagnostic says so.
  public init(
    seal: @escaping @Sendable (_ value: [UInt8], _ key: [UInt8]) throws -> [UInt8],
    open: @escaping @Sendable (_ value: [UInt8], _ key: [UInt8]) throws -> [UInt8]
  ) {
    self.seal = seal
    self.open = open
  }
}
