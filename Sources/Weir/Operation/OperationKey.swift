/// A hash of an operation's canonical document and variables, its endpoint, and its headers, for
/// logs. Neutral headers are left out (``HeaderRules``), and so are the values of credentials.
///
/// Keys are equal in every process and on every platform, so you may log them, compare them between
/// runs, or use them as file names. Two different operations can have equal keys by chance, and
/// whoever chooses the variables can make them equal on purpose. Do not use keys for a table that
/// strangers fill: Weir's own tables compare the operations themselves, under a hash with a random
/// seed.
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
