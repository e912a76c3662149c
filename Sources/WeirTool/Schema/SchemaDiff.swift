import GraphQLLanguage
import GraphQLValidation

/// Compares two schemas. The levels are those of graphql-js.
struct SchemaDiff {
  let old: TypeSystem
  let new: TypeSystem
  private(set) var changes: [SchemaChange] = []

  /// Returns the changes: the breaking ones first, each level in the order of the coordinates.
  static func changes(from old: TypeSystem, to new: TypeSystem) -> [SchemaChange] {
    var diff = SchemaDiff(old: old, new: new)
    diff.compareRoots()
    diff.compareTypes()
    diff.compareDirectives()
    return diff.changes.sorted {
      ($0.level, $0.coordinate, $0.kind) < ($1.level, $1.coordinate, $1.kind)
    }
  }

  mutating func add(
    _ level: SchemaChange.Level, _ kind: String, _ coordinate: String, _ message: String,
    concerns: [String]? = nil
  ) {
    changes.append(
      SchemaChange(
        level: level, kind: kind, coordinate: coordinate, message: message,
        concerns: concerns ?? [coordinate]))
  }

  private mutating func compareRoots() {
    for kind in OperationKind.allCases where old.rootTypes[kind] != new.rootTypes[kind] {
      let (before, after) = (old.rootTypes[kind], new.rootTypes[kind])
      add(
        before == nil ? .safe : .breaking, "root-type-changed", kind.rawValue,
        "The root type changed from \(before ?? "none") to \(after ?? "none").")
    }
  }

  private mutating func compareTypes() {
    for name in Self.names(old) {
      guard let before = old.types[name] else { continue }
      guard let after = new.types[name], !after.isBuiltIn || before.isBuiltIn else {
        add(.breaking, "type-removed", name, "The type was removed.")
        continue
      }
      guard before.kind == after.kind else {
        add(
          .breaking, "type-kind-changed", name,
          "The type was \(before.kind.phrase), and is \(after.kind.phrase).")
        continue
      }
      compareMembers(of: before, after)
    }
    for name in Self.names(new) where old.types[name] == nil {
      add(.safe, "type-added", name, "The type was added.")
    }
  }

  private static func names(_ types: TypeSystem) -> [String] {
    types.typeNames.filter { !TypeSystem.isSpecified($0) }
  }

  private mutating func compareMembers(of before: SchemaType, _ after: SchemaType) {
    switch before.kind {
    case .object, .interface:
      compareInterfaces(before, after)
      compareFields(before, after)
    case .union: compareUnion(before, after)
    case .enum: compareValues(before, after)
    case .inputObject: compareInputFields(before, after)
    case .scalar:
      if before.specifiedBy != after.specifiedBy {
        add(
          .dangerous, "scalar-specification-changed", before.name,
          "The specification of the scalar changed.")
      }
    }
  }

  private mutating func compareInterfaces(_ before: SchemaType, _ after: SchemaType) {
    for name in before.interfaces where !after.interfaces.contains(name) {
      add(
        .breaking, "interface-removed", before.name,
        "The type does not implement \(name) any more.",
        concerns: [DocumentUse.condition(before.name), DocumentUse.condition(name)])
    }
    for name in after.interfaces where !before.interfaces.contains(name) {
      add(
        .dangerous, "interface-added", before.name, "The type implements \(name).",
        concerns: [name])
    }
  }

  private mutating func compareUnion(_ before: SchemaType, _ after: SchemaType) {
    for name in before.memberTypes where !after.memberTypes.contains(name) {
      add(
        .breaking, "union-member-removed", before.name, "\(name) is not a member any more.",
        concerns: [DocumentUse.condition(name)])
    }
    for name in after.memberTypes where !before.memberTypes.contains(name) {
      add(.dangerous, "union-member-added", before.name, "\(name) became a member.")
    }
  }

  private mutating func compareValues(_ before: SchemaType, _ after: SchemaType) {
    for value in before.values {
      let coordinate = "\(before.name).\(value.name)"
      guard let other = after.value(value.name) else {
        add(
          .breaking, "enum-value-removed", coordinate, "The value was removed.",
          concerns: [before.name])
        continue
      }
      compareDeprecation(coordinate, value, other)
    }
    for value in after.values where before.value(value.name) == nil {
      add(
        .dangerous, "enum-value-added", "\(before.name).\(value.name)", "The value was added.",
        concerns: [before.name])
    }
  }
}

// MARK: - Directives

extension SchemaDiff {
  private mutating func compareDirectives() {
    let own = { (types: TypeSystem) in
      types.directives.values.filter { !$0.isBuiltIn }.sorted { $0.name < $1.name }
    }
    for before in own(old) {
      let coordinate = "@\(before.name)"
      guard let after = new.directives[before.name] else {
        add(.breaking, "directive-removed", coordinate, "The directive was removed.")
        continue
      }
      compareInputs(
        before.arguments, after.arguments,
        .init(what: "argument", owner: coordinate) { "@\(before.name)(\($0):)" })
      if before.isRepeatable, !after.isRepeatable {
        add(
          .breaking, "directive-not-repeatable", coordinate,
          "The directive may occur only once in a place.")
      }
      for location in before.locations where !after.locations.contains(location) {
        add(
          .breaking, "directive-location-removed", coordinate,
          "The directive may not occur on \(location.rawValue) any more.")
      }
    }
    for after in own(new) where old.directives[after.name] == nil {
      add(.safe, "directive-added", "@\(after.name)", "The directive was added.")
    }
  }
}

extension TypeDefinition.Kind {
  fileprivate var phrase: String {
    switch self {
    case .scalar: "a scalar"
    case .object: "an object type"
    case .interface: "an interface"
    case .union: "a union"
    case .enum: "an enumeration"
    case .inputObject: "an input object"
    }
  }
}
