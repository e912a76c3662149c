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

  /// Whether the type does not allow `null`.
  package var isNonNull: Bool {
    if case .nonNull = self { true } else { false }
  }

  /// The type without its outer `!`.
  package var nullable: TypeReference {
    if case .nonNull(let inner) = self { inner } else { self }
  }

  /// Whether the type is a list, which may be non-null.
  package var isList: Bool {
    if case .list = nullable { true } else { false }
  }
}
