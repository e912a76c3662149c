public import Weir

/// Whether a store can answer an operation, and why not.
public struct ReadExplanation: Sendable, CustomStringConvertible {
  /// The outcome of a read.
  public enum Status: String, Hashable, Sendable {
    /// All fields are there and fresh.
    case complete
    /// All fields are there, some of them stale.
    case stale
    /// Some fields are there.
    case partial
    /// No field is there. If a single field is named, without a path, the entity itself does not exist.
    case missing
    /// The operation has a defect, such as a document that cannot be parsed; see ``defect``.
    case defective
  }

  /// The outcome of a read.
  public let status: Status
  /// The missing and stale fields, in the order of the result.
  public let fields: [MissingField]
  /// Why the operation cannot be executed at all; nil if it can.
  public var defect: OperationError?

  /// The status, and a line for the defect and for each field that is missing or stale.
  public var description: String {
    ([status.rawValue] + [defect?.message].compactMap(\.self) + fields.map(\.description))
      .joined(separator: "\n")
  }
}

extension ReadExplanation {
  /// Reads a target, and notes what is missing or, unless `staleBefore` is nil, stale.
  init(
    _ target: ReadTarget, _ records: RecordState, _ catalog: Catalog, staleBefore: Int64? = nil
  ) {
    let found = target.read(records, catalog, allowsPartial: true, staleBefore: staleBefore)
    guard let found else {
      self.init(status: .missing, fields: [MissingField(path: [], reason: .dangling)])
      return
    }
    guard let document = found.document else {
      self.init(status: .missing, fields: [])
      return
    }
    var fields = zip(found.missing, found.reasons).map { ($0, $1) }
    fields += found.expired.map { ($0, MissingField.Reason.expired) }
    fields.sort { $0.0 < $1.0 }
    let status: Status =
      found.missing.isEmpty
      ? (fields.isEmpty ? .complete : .stale)
      : (document.isAllMissing(found.missing) ? .missing : .partial)
    self.init(
      status: status,
      fields: zip(document.paths(to: fields.map(\.0)), fields).map {
        MissingField(path: $0, reason: $1.1)
      })
  }
}
