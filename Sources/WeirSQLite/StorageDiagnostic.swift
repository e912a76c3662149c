public import Foundation
public import WeirNormalized

/// Something that went wrong with a file and was worked around.
public struct StorageDiagnostic: Hashable, Sendable {
  /// What kind of thing happened.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// A stable name for logs.
    public let rawValue: String

    /// A kind of event.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The file cannot be used now; ``StorageDiagnostic/error`` says why. Told once until it can.
    public static let unavailable = Code(rawValue: "unavailable")
    /// A damaged file was set aside as ``StorageDiagnostic/file`` and rebuilt;
    /// ``StorageDiagnostic/count`` records could be saved from it.
    public static let quarantined = Code(rawValue: "quarantined")
    /// The values of ``StorageDiagnostic/count`` records are not what was written, or could not be
    /// opened by the ``ValueTransform``; they count as missing.
    public static let damagedValues = Code(rawValue: "damagedValues")
    /// The records of ``StorageDiagnostic/types`` were dropped because those types have a new shape.
    public static let typesDropped = Code(rawValue: "typesDropped")
    /// The file was replaced by another while it was open; the storage goes on with the new one.
    public static let replaced = Code(rawValue: "replaced")
  }

  /// What kind of thing happened.
  public let code: Code
  /// The file that it happened to, or where a damaged file is now.
  public let file: URL
  /// Why, where there is an error.
  public var error: StorageError?
  /// How many records it is about.
  public var count = 0
  /// Which types it is about.
  public var types: [String] = []

  init(_ code: Code, _ file: DatabaseFile) {
    self.code = code
    self.file = URL(fileURLWithPath: file.path)
  }
}

extension StorageDiagnostic: CustomStringConvertible {
  /// The code, the file's name and what is known; never cached data.
  public var description: String {
    var text = "\(code.rawValue): \(file.lastPathComponent)"
    if let error { text += ", \(error)" }
    if count > 0 { text += ", \(count) records" }
    if !types.isEmpty { text += ", \(types.joined(separator: " "))" }
    return text
  }
}
