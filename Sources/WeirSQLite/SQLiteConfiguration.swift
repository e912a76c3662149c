import WeirNormalized

/// The options of an ``SQLiteStorage``.
public struct SQLiteConfiguration: Sendable {
  /// How long a call waits while another process is writing, before it throws
  /// `StorageError.Code.busy`. Default two seconds.
  public var busyTimeout: Duration = .seconds(2)

  /// Whether a commit waits until the data is on the disk. Default false.
  ///
  /// If false, commits survive a crash of your app; a power failure or a crash of the system may undo
  /// the last commits, but leaves a consistent file. If true, each commit takes one `fsync`, some
  /// milliseconds. On Apple platforms it is `F_FULLFSYNC`, because `fsync` does not wait for the disk
  /// there; it takes several times as long.
  public var survivesPowerLoss = false

  /// Whether removed data is overwritten with zeros. Default true. ``SQLiteStorage/removeAll()``
  /// always overwrites.
  public var overwritesRemovedData = true

  /// The maximum size of the file in bytes. Default nil, no limit.
  ///
  /// A commit that would exceed it throws `StorageError.Code.full`. To have the least recently used
  /// records removed instead, set `NormalizedCacheConfiguration.maximumStoredBytes`.
  public var maximumFileBytes: Int?

  /// The size in bytes up to which the storage checks a whole file for damage. Default 64 MiB, which
  /// takes about a tenth of a second.
  ///
  /// The check takes place when the storage opens a file that was not closed, otherwise before its
  /// first change. In a larger file, damage is detected when the storage reads it.
  public var maximumCheckedBytes = 64 << 20

  /// How often ``SQLiteStorage/externalChanges()`` polls the file for changes by other processes.
  /// Default nil: never.
  ///
  /// Set it, for example to 200 milliseconds, if several processes use the file, such as an app and its
  /// extensions. A poll takes some microseconds. Changes by other storages in the same process arrive at
  /// once, whatever the interval.
  public var externalChangeInterval: Duration?

  /// A fingerprint for each type: any text that changes when the type's shape changes in your app.
  ///
  /// When the storage opens the file, it drops the records of every type whose fingerprint differs
  /// from the one before. If the file is read-only, the storage cannot drop them, and does not use the file.
  /// Types without a fingerprint are not checked. An object without a key is part of the record that holds
  /// it, so when its shape changes, change the fingerprints of the types that hold it. Change the
  /// fingerprint of a type also when its key or group changes in the configuration of the cache, or when its
  /// time to live is new or shorter: saved data keeps the time at which it becomes stale.
  public var fingerprints: [String: String] = [:]

  /// Transforms values before they are written and after they are read, for example to encrypt them.
  /// Keys and names stay as they are, and may contain texts of the user; see ``ValueTransform``.
  public var valueTransform: ValueTransform?

  /// Called when the storage has detected a problem and worked around it, on the thread that detected
  /// the problem, without a lock. Nil by default: a debug build then prints it to standard error.
  public var onDiagnostic: (@Sendable (StorageDiagnostic) -> Void)?

  /// Makes a configuration with the default options.
  public init() {}
}

extension SQLiteConfiguration {
  /// The statements that set the durability of commits.
  ///
  /// The last two have an effect on Apple platforms only: `fsync` there returns before the data is on
  /// the disk.
  var durability: [String] {
    guard survivesPowerLoss else { return ["PRAGMA synchronous = NORMAL"] }
    return [
      "PRAGMA synchronous = FULL", "PRAGMA fullfsync = ON", "PRAGMA checkpoint_fullfsync = ON",
    ]
  }
}

/// A pair of functions that transform the values in the file.
///
/// Keys, names and sizes are not transformed, because the storage looks records up by them. So these
/// remain readable in the file: the types and ids of entities, the names of fields, and the arguments
/// of fields. If a text that the user has typed is an argument, as in `search(text: "…")`, it is in
/// the file in clear: in the key of a root field, or, if it is a literal of the document, among the
/// names. Results of a document cache have no such keys: theirs are hashes.
///
/// If that is confidential, keep such operations out of the storage
/// (`OperationContext.storesResult`), leave the argument out of the key (`FieldPolicy.keyArguments`),
/// or protect the whole file: by an encrypted volume, or by the system's file protection.
///
/// A file does not say how its values were transformed. If you add a transform, or change its key, the values
/// from before count as missing, but stay in the file until they are overwritten or removed: in clear, if
/// there was no transform. So use a new file then, and delete the old one with those beside it.
public struct ValueTransform: Sendable {
  let seal: @Sendable (_ value: [UInt8], _ key: [UInt8]) throws -> [UInt8]
  let open: @Sendable (_ value: [UInt8], _ key: [UInt8]) throws -> [UInt8]

  /// Makes a transform. Several threads may call the functions at once.
  ///
  /// - Parameters:
  ///   - seal: Transforms a value before it is written. Its second argument is the value's key, which
  ///     authenticated encryption should bind to the value. If it throws, the commit fails.
  ///   - open: The inverse of `seal`. If it throws a `StorageError`, so does the call that reads: throw
  ///     `StorageError(.notPermitted, "…")` while the key cannot be read, as in an app that the system has
  ///     launched while the device is locked. With any other error the record counts as missing, and a
  ///     diagnostic reports it.
  public init(
    seal: @escaping @Sendable (_ value: [UInt8], _ key: [UInt8]) throws -> [UInt8],
    open: @escaping @Sendable (_ value: [UInt8], _ key: [UInt8]) throws -> [UInt8]
  ) {
    self.seal = seal
    self.open = open
  }

  func sealed(_ value: [UInt8], key: [UInt8]) throws(StorageError) -> [UInt8] {
    do {
      return try seal(value, key)
    } catch let error as StorageError {
      throw error
    } catch {
      throw StorageError(.failed, "The value transform failed to seal a value: \(type(of: error))")
    }
  }

  /// - Returns: nil if the value cannot be opened, now or later.
  func opened(_ value: [UInt8], key: [UInt8]) throws(StorageError) -> [UInt8]? {
    do {
      return try open(value, key)
    } catch let error as StorageError {
      throw error
    } catch {
      return nil
    }
  }
}
