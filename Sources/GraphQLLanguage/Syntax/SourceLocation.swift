/// The position of a syntax node in its source text.
///
/// **Two locations always compare equal.** Nodes are equal if they mean the same, wherever they
/// are in a text, so their locations must not make a difference.
public struct SourceLocation: Sendable {
  /// The offset plus one; zero if unknown. 32 bits keep the nodes small.
  private let storage: UInt32

  /// The location of a node that was built in code.
  public static let unknown = SourceLocation(storage: 0)

  private init(storage: UInt32) {
    self.storage = storage
  }

  /// Makes a location.
  ///
  /// - Parameter utf8Offset: The number of UTF-8 bytes before the node. An offset that does not
  ///   fit in 32 bits makes an unknown location.
  public init(utf8Offset: Int) {
    guard let offset = UInt32(exactly: utf8Offset), offset < .max else {
      self = .unknown
      return
    }
    storage = offset + 1
  }

  /// The number of UTF-8 bytes before the node; `nil` if unknown.
  public var utf8Offset: Int? {
    storage == 0 ? nil : Int(storage - 1)
  }
}

extension SourceLocation: Hashable {
  /// Always true; see ``SourceLocation``.
  public static func == (_: SourceLocation, _: SourceLocation) -> Bool { true }

  /// Does nothing, because all locations are equal.
  public func hash(into hasher: inout Hasher) {}
}
