public import GraphQLLanguage

/// The place of a syntax node in a source file.
///
/// Few nodes carry a location of their own. The places of others are given as the nearest location
/// before them and the number of tokens in between; only a diagnostic that is reported finds the
/// tokens.
public struct SourcePlace: Sendable {
  /// The file.
  public let file: SourceFile
  /// The location of the node, or of the node that contains it.
  public let location: SourceLocation
  /// The number of tokens between the location and the node; negative if the location is that of a
  /// comment, because comments are not tokens.
  let tokens: Int32
  /// If set, the node is the first name with this text behind the tokens.
  let name: String?

  /// Makes the place of a node that carries its location.
  public init(file: SourceFile, location: SourceLocation) {
    self.init(file, location, tokens: 0)
  }

  init(_ file: SourceFile, _ location: SourceLocation, tokens: Int, name: String? = nil) {
    self.file = file
    self.location = location
    self.tokens = Int32(clamping: tokens)
    self.name = name
  }
}
