import GraphQLLanguage

/// For each input object there is a finite value: it does not contain itself through fields that need
/// a value (section 3.10, "Circular References"). For `@oneOf` input objects this is the rule of
/// graphql-js and of a proposal for the specification ("InputObjectHasUnbreakableCycle"); the edition of
/// September 2025 has none.
enum InputObjectCycles: ValidationRule {
  static let name = "input-object-cycles"

  static func check(_ context: ValidationContext) {
    var search = InputObjectCycleSearch(context.schema)
    for cycle in search.cycles() {
      let path = cycle.fields.map(\.coordinate).joined(separator: ", ")
      context.report(
        Self.self,
        "Input Object \(cycle.type) cannot be provided a finite value because it references itself "
          + "through fields: \(path).",
        at: cycle.fields[0].place, related: cycle.fields.dropFirst().map(\.place))
    }
  }
}

extension TypeSystem {
  /// The input objects that no request can give: they contain one that needs itself.
  package var inputsWithoutValue: Set<String> {
    let search = InputObjectCycleSearch(self)
    return Set(search.order).subtracting(search.finite)
  }
}

/// Finds input objects without a finite value, then the cycles among them.
private struct InputObjectCycleSearch {
  struct Link {
    let coordinate: String
    let place: SourcePlace
    let target: String
  }

  struct Cycle {
    let type: String
    let fields: [Link]
  }

  let order: [String]
  /// The fields of each input object whose values may have to be input objects.
  private var links: [String: [Link]] = [:]
  private(set) var finite: Set<String> = []

  init(_ schema: TypeSystem) {
    order = schema.typeNames.filter { schema.types[$0]?.kind == .inputObject }
    for name in order {
      guard let type = schema.types[name] else { continue }
      links[name] = type.inputFields.compactMap { field in
        guard let target = Self.target(of: field, in: type),
          schema.types[target]?.kind == .inputObject
        else { return nil }
        return Link(
          coordinate: "\(name).\(field.name)", place: field.place, target: target)
      }
    }
    findFinite(schema)
  }

  /// Any field of a `@oneOf` input object can be the one with a value; of others the fields that are
  /// non-null must have one.
  private static func target(of field: SchemaInput, in type: SchemaType) -> String? {
    switch field.type {
    case .named(let name) where type.isOneOf: name
    case .nonNull(.named(let name)) where !type.isOneOf: name
    default: nil
    }
  }

  /// Marks types with a finite value until nothing changes; each type is looked at again only if a
  /// type that it needs has become finite.
  private mutating func findFinite(_ schema: TypeSystem) {
    var dependents: [String: [String]] = [:]
    var missing: [String: Int] = [:]
    var work: [String] = []
    for name in order {
      guard let type = schema.types[name], let own = links[name] else { continue }
      for link in own { dependents[link.target, default: []].append(name) }
      missing[name] = type.isOneOf ? 1 : own.count
      let isFinite = type.isOneOf ? own.count < type.inputFields.count : own.isEmpty
      if isFinite || type.inputFields.isEmpty { work.append(name) }
    }
    finite = Set(work)
    while let name = work.popLast() {
      for dependent in dependents[name] ?? [] where !finite.contains(dependent) {
        missing[dependent, default: 1] -= 1
        if missing[dependent, default: 0] <= 0, finite.insert(dependent).inserted {
          work.append(dependent)
        }
      }
    }
  }

  /// Returns the cycles that a search in depth finds. It enters each type once, and has a stack of
  /// its own.
  mutating func cycles() -> [Cycle] {
    var cycles: [Cycle] = []
    var entered = finite
    for start in order where entered.insert(start).inserted {
      var steps = [(name: start, next: 0)]
      var path: [Link] = []
      while let step = steps.last {
        let own = links[step.name] ?? []
        guard step.next < own.count else {
          steps.removeLast()
          if !path.isEmpty { path.removeLast() }
          continue
        }
        steps[steps.count - 1].next += 1
        let link = own[step.next]
        if finite.contains(link.target) { continue }
        if let position = steps.firstIndex(where: { $0.name == link.target }) {
          cycles.append(Cycle(type: link.target, fields: path[position...] + [link]))
        } else if entered.insert(link.target).inserted {
          path.append(link)
          steps.append((link.target, 0))
        }
      }
    }
    return cycles
  }
}
