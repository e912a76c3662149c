/// Swift names of the members of one type, or of the types in one namespace, which all differ.
///
/// A name that has a meaning in Swift or in generated code gets a `_` at its end, and one more while
/// another member has that name. The result depends on the set of names only, not on their order.
struct DistinctNames {
  /// The names that are not those of the schema or the document.
  private var changed: [String: String] = [:]

  /// Chooses names.
  ///
  /// - Parameters:
  ///   - names: the names in the schema or the document.
  ///   - reserved: the names that no member can have.
  ///   - keepsNames: whether names that meet after the conversion are not converted.
  ///   - convert: returns the name as it should be in Swift.
  init(
    _ names: [String], reserved: Set<String>, keepsNames: Bool = true,
    _ convert: (String) -> String = { $0 }
  ) {
    var wanted: [(name: String, candidate: String)] = []
    var seen: Set<String> = []
    for name in names where seen.insert(name).inserted { wanted.append((name, convert(name))) }
    guard wanted.contains(where: { $0.name != $0.candidate || reserved.contains($0.name) }) else {
      return
    }
    if keepsNames {
      let counts = Dictionary(wanted.lazy.map { ($0.candidate, 1) }, uniquingKeysWith: +)
      wanted = wanted.map { counts[$1] == 1 ? ($0, $1) : ($0, $0) }
    }
    // Names that stay as they are take precedence.
    let isKept = { (name: String, candidate: String) in
      name == candidate && !reserved.contains(name)
    }
    var taken = Set(wanted.lazy.filter(isKept).map(\.name))
    for (name, candidate) in wanted.sorted(by: { $0.name < $1.name })
    where !isKept(name, candidate) {
      var free = candidate
      while reserved.contains(free) || !taken.insert(free).inserted { free += "_" }
      changed[name] = free
    }
  }

  /// The Swift name, without quotes.
  subscript(name: String) -> String { changed[name] ?? name }
}

extension DistinctNames {
  /// The names of variables or fields of input objects as properties, parameters and labels;
  /// `reserved` are further types that the code around them names.
  static func properties(
    _ names: [String], _ casing: GenerationConfiguration.Casing, reserved: Set<String> = []
  ) -> Self {
    Self(names, reserved: SwiftName.reservedVariables.union(reserved), casing.property)
  }

  /// The names of the cases of an input object, named after its fields.
  static func cases(_ names: [String], _ casing: GenerationConfiguration.Casing) -> Self {
    Self(names, reserved: SwiftName.reservedCases, casing.property)
  }

  /// The names of the cases of an enumeration, named after its values.
  static func values(_ names: [String], _ casing: GenerationConfiguration.Casing) -> Self {
    Self(
      names, reserved: SwiftName.reservedCases.union(["AllCases", "RawValue"]), casing.enumCase)
  }
}

extension GenerationConfiguration.Casing {
  /// Returns the name of a field, an argument or a variable.
  func property(_ name: String) -> String { self == .camel ? SwiftName.camelProperty(name) : name }

  /// Returns the name of an enumeration's value.
  func enumCase(_ value: String) -> String { self == .schema ? value : SwiftName.camel(value) }
}
