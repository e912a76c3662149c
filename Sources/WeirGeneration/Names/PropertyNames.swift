import GraphQLLanguage
import GraphQLValidation

/// The names of the properties and nested types of one Swift type, which must differ.
struct PropertyNames {
  private var properties: [String: SourceLocation] = [:]
  private var types: [String: (key: String, location: SourceLocation)] = [:]
  private var clashes: [(name: String, one: SourceLocation, other: SourceLocation)] = []

  /// Reserves the name of a property that has no place in the text.
  mutating func reserve(_ name: String) { properties[name] = .unknown }

  mutating func add(_ name: String, _ location: SourceLocation) {
    if let other = properties.updateValue(location, forKey: name) {
      clashes.append((name, location, other))
    }
  }

  mutating func add(type name: String, of key: String, _ location: SourceLocation) {
    if let other = types.updateValue((key, location), forKey: name) {
      clashes.append((name, location, other.location))
    }
  }

  func findings(in file: SourceFile) -> [GenerationFinding] {
    clashes.map { clash in
      GenerationFinding(
        "Two selections of this object have the name \"\(clash.name)\" in Swift. Give one of them "
          + "an alias.", file, clash.one,
        related: [GenerationFinding("The other one is here.", file, clash.other)])
    }
  }
}
