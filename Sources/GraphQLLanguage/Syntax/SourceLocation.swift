/// Where a part of a syntax tree stood in its source text.
///
/// **Two locations always compare equal.** Equal nodes are nodes that mean the same, wherever they
/// stood, and a location within a node must not change that.
public struct SourceLocation: Sendable {
  /// One more than the offset; zero when there is none. 32 bits keep the nodes small.
  private let storage: UInt32

  /// The location of a node that was built in code.
  public static let unknown = SourceLocation(storage: 0)

  private init(storage: UInt32) {
    self.storage = storage
  }

  /// Makes a location.
  ///
  /// - Parameter utf8Offset: The number of UTF-8 bytes before the node. What does not fit in
  ///   32 bits is unknown.
  public init(utf8Offset: Int) {
    guard let offset = UInt32(exactly: utf8Offset), offset < .max else {
      self = .unknown
      return
    }
    storage = offset + 1
  }

  /// The number of UTF-8 bytes before the node; `nil` when it is unknown.
  public var utf8Offset: Int? {
    storage == 0 ? nil : Int(storage - 1)
  }
}

extension SourceLocation: Hashable {
  /// Always true, see above.
  public static func == (_: SourceLocation, _: SourceLocation) -> Bool { true }

  /// Adds nothing, since all locations are equal.
  public func hash(into hasher: inout Hasher) {}
}
