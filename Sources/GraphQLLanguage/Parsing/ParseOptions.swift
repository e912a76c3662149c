/// Limits on what a parser accepts from a text that is not trusted.
public struct ParseOptions: Hashable, Sendable {
  /// How deep selection sets, lists, objects and list types may be nested, in levels.
  ///
  /// Parsing takes stack space in proportion to the depth, and so does all that walks the tree
  /// later. More than `depthCeiling` counts as `depthCeiling`.
  public var maximumDepth: Int

  /// How many tokens a text may have; `nil` for any number. Comments do not count.
  public var maximumTokens: Int?

  /// Makes options. Without arguments they allow every text that is not nested deeper than
  /// `depthCeiling`.
  public init(maximumDepth: Int = ParseOptions.depthCeiling, maximumTokens: Int? = nil) {
    self.maximumDepth = maximumDepth
    self.maximumTokens = maximumTokens
  }

  /// The greatest depth: 128 levels.
  ///
  /// Trees of that depth are parsed, printed, compared, hashed and freed safely on a stack of
  /// 512 KB, the size that the threads of Swift tasks have on Apple platforms; also in a debug
  /// build, which takes up to 3 KB a level.
  public static let depthCeiling = 128
}
