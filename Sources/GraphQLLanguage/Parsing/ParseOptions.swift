/// Limits for parsing text from an untrusted source.
public struct ParseOptions: Hashable, Sendable {
  /// The number of levels to which selection sets, lists, objects and list types may be nested.
  ///
  /// Parsing a document and walking its tree take stack space in proportion to the depth. A value
  /// above `depthCeiling` counts as `depthCeiling`.
  public var maximumDepth: Int

  /// The number of tokens that a text may have; `nil` for no limit, which is the default and fits
  /// schemas and tools. Comments do not count.
  public var maximumTokens: Int?

  /// Makes options; without arguments, `depthCeiling` is the only limit.
  public init(maximumDepth: Int = ParseOptions.depthCeiling, maximumTokens: Int? = nil) {
    self.maximumDepth = maximumDepth
    self.maximumTokens = maximumTokens
  }

  /// The greatest depth: 128 levels.
  ///
  /// A tree of that depth can be parsed, printed, compared, hashed and freed on a stack of 512 KB,
  /// the size for threads of Swift tasks on Apple platforms, even in a debug build, which uses up
  /// to 3 KB per level.
  public static let depthCeiling = 128
}
