/// A reference to a type: `Name`, `[Name]` or `Name!` (specification, section 2.12).
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
