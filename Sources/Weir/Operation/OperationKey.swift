/// The identity of what an operation asks for: a hash of its canonical document and variables, its
/// endpoint, and the headers that were declared part of the key.
///
/// Equal in every process and on every platform, so it may be logged, compared between runs, or
/// used as a file name. Two operations could share one by accident; Weir's own tables compare the
/// operations themselves.
public struct OperationKey: Hashable, Sendable, CustomStringConvertible {
  /// The hash.
  public let rawValue: UInt64

  package init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// Sixteen hexadecimal digits.
  public var description: String {
    let digits = String(rawValue, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
