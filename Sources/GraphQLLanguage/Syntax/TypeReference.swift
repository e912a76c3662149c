/// The use of a type: `Name`, `[Name]` or `Name!` (specification, section 2.11).
public enum TypeReference: Hashable, Sendable {
  /// A type by its name.
  case named(String)
  /// A list of another type.
  indirect case list(TypeReference)
  /// Another type without its `null`. The other type is itself never of this kind when it was
  /// parsed.
  indirect case nonNull(TypeReference)
}

extension TypeReference {
  /// Parses a text that holds one type reference, for example `[ID!]!`.
  ///
  /// - Throws: `GraphQLSyntaxError` when the text is anything else.
  public init(
    parsing text: String, options: ParseOptions = ParseOptions()
  ) throws(GraphQLSyntaxError) {
    var parser = try Parser(text, options: options)
    self = try parser.parseTypeReference()
    try parser.expect(.endOfFile)
  }

  /// The name at the core: `ID` of `[ID!]!`.
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
