import GraphQLLanguage
import GraphQLValidation

/// The names of the properties and nested types of one Swift type, which must differ.
struct PropertyNames {
  private struct Use {
    let location: SourceLocation
    /// Whether the name is that of a field, which can have an alias.
    let isField: Bool
  }

  private var uses: [String: Use] = [:]
  private var clashes: [(name: String, one: Use, other: Use)] = []

  /// Adds the name of the property, or of the type, for a field, a fragment or a condition.
  mutating func add(_ name: String, _ location: SourceLocation, isField: Bool = false) {
    let use = Use(location: location, isField: isField)
    if let other = uses.updateValue(use, forKey: name) { clashes.append((name, use, other)) }
  }

  func findings(in file: NumberedFile) -> [GenerationFinding] {
    clashes.map { clash in
      let cure =
        clash.one.isField || clash.other.isField
        ? "Give one of them an alias."
        : "Write one of them as a fragment with a name of its own, and spread it."
      return GenerationFinding(
        "Two selections of this object have the name \"\(clash.name)\" in Swift. \(cure)", file,
        clash.one.location,
        related: [GenerationFinding("The other one is here.", file, clash.other.location)])
    }
  }
}
