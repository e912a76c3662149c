/// A reference to a type: `Name`, `[Name]` or `Name!` (specification, section 2.11).
public enum TypeReference: Hashable, Sendable {
  /// A named type.
  case named(String)
  /// A list of another type.
  indirect case list(TypeReference)
  /// A type that does not allow `null`. In a parsed document, the inner type is not itself
  /// `nonNull`.
  indirect case nonNull(TypeReference)
}

extension TypeReference {
  /// Parses a text that contains one type reference, for example `[ID!]!`.
  ///
  /// - Throws: `GraphQLSyntaxError` if the text is anything else.
  public init(
    parsing text: String, options: ParseOptions = ParseOptions()
  ) throws(GraphQLSyntaxError) {
    var parser = try Parser(text, options: options)
    self = try parser.parseTypeReference()
    try parser.expect(.endOfFile)
  }

  /// The innermost name: `ID` for `[ID!]!`.
  public var namedType: String {
    var type = self
    while true {
      switch type {
      case .named(let name): return name
      case .list(let inner), .nonNull(let inner): type = inner
      }
    }
  }
}
