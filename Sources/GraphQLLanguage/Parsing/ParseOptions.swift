/// Limits on what a parser accepts from a text that is not trusted.
public struct ParseOptions: Hashable, Sendable {
  /// How deep selection sets, lists, objects and list types may be nested, in levels.
  ///
  /// Parsing takes stack space in proportion to the depth, and so does all that walks the tree
  /// later. More than `depthCeiling` counts as `depthCeiling`.
  public var maximumDepth: Int

  /// How many tokens a text may have; `nil` for any number. Comments do not count.
  public var maximumTokens: Int?

  /// Makes options. The default depth of 200 is that of the reference implementations.
  public init(maximumDepth: Int = 200, maximumTokens: Int? = nil) {
    self.maximumDepth = maximumDepth
    self.maximumTokens = maximumTokens
  }

  /// The greatest depth that parses, prints, compares and frees safely on a stack of 512 KB, the
  /// size that secondary threads have on Apple platforms.
  public static let depthCeiling = 250
}
