public import Foundation
import Weir
public import WeirNormalized

/// A problem with a file that the storage has worked around.
public struct StorageDiagnostic: Hashable, Sendable {
  /// A kind of problem.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// A stable name for logs.
    public let rawValue: String

    /// Makes a kind of problem.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The file cannot be used now; ``StorageDiagnostic/error`` is the reason. Reported once, until
    /// the file can be used again.
    public static let unavailable = Code(rawValue: "unavailable")
    /// A damaged file was renamed to ``StorageDiagnostic/file`` and rebuilt with
    /// ``StorageDiagnostic/count`` records that could be recovered.
    public static let quarantined = Code(rawValue: "quarantined")
    /// The values of ``StorageDiagnostic/count`` records are damaged, or the ``ValueTransform`` could
    /// not open them. The records count as missing.
    public static let damagedValues = Code(rawValue: "damagedValues")
    /// The records of ``StorageDiagnostic/types`` were dropped, because the types have new
    /// fingerprints.
    public static let typesDropped = Code(rawValue: "typesDropped")
    /// The file was replaced or deleted while it was open. The storage continues with the new file.
    public static let replaced = Code(rawValue: "replaced")
  }

  /// The kind of problem.
  public let code: Code
  /// The file with the problem; for a damaged file, its new name.
  public let file: URL
  /// The error that caused the problem, if there is one.
  public var error: StorageError?
  /// The number of affected records.
  public var count: Int
  /// The affected types.
  public var types: [String]

  init(
    _ code: Code, _ file: DatabaseFile, error: StorageError? = nil, count: Int = 0,
    types: [String] = []
  ) {
    self.code = code
    self.file = URL(fileURLWithPath: file.path)
    self.error = error
    self.count = count
    self.types = types
  }
}

extension StorageDiagnostic: CustomStringConvertible {
  /// The code, the name of the file and the details; never contains cached data.
  public var description: String {
    var text = "\(code.rawValue): \(file.lastPathComponent)"
    if let error { text += ", \(error)" }
    if count > 0 { text += ", \(count) records" }
    if !types.isEmpty { text += ", \(types.joined(separator: " "))" }
    return text
  }
}

extension SQLiteStorage {
  func report(_ diagnostics: [StorageDiagnostic]) {
    for diagnostic in diagnostics {
      if let onDiagnostic = configuration.onDiagnostic {
        onDiagnostic(diagnostic)
      } else {
        printInDebugBuilds("\(diagnostic)")
      }
    }
  }
}
