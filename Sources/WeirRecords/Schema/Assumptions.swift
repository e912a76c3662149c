import GraphQLLanguage
import Weir

/// The type conditions of a selection that are not known to hold for a type, and how a response
/// shows whether they do: by the members that only they select, or that only they select of objects
/// within.
package struct Assumptions {
  /// A field that is present if one of the conditions holds.
  private struct Member {
    let responseKey: [UInt8]
    let conditions: Set<String>
  }

  /// A field that is always present, of whose objects a condition selects more.
  private struct Within {
    let responseKey: [UInt8]
    let condition: String
    /// The condition's selection on the objects.
    let own: SelectionNode
    /// The rest of the selection on them.
    let rest: SelectionNode
  }

  private let members: [Member]
  private let within: [Within]
  /// The response keys that every object of the type has, in the order of the fields.
  private let certain: [[UInt8]]
  private let certainKeys: Set<[UInt8]>

  /// Returns nil if nothing was assumed, or nothing that the selected fields depend on.
  init?(_ collected: CollectedFields) {
    guard !collected.assumed.isEmpty else { return nil }
    var members: [Member] = []
    var within: [Within] = []
    var certain: [[UInt8]] = []
    for key in collected.order {
      guard let entry = collected.fields[key] else { continue }
      let responseKey = Array(key.utf8)
      if entry.conditions.isEmpty {
        certain.append(responseKey)
      } else {
        members.append(Member(responseKey: responseKey, conditions: entry.conditions))
      }
      for condition in Set(entry.children.compactMap(\.assuming)).sorted()
      where entry.conditions != [condition] {
        let own = entry.children.filter { $0.assuming == condition }.map(\.selectionSet)
        let rest = entry.children.filter { $0.assuming != condition }.map(\.selectionSet)
        if Self.haveNoMore(own, than: rest) { continue }
        within.append(
          Within(
            responseKey: responseKey, condition: condition, own: collected.plan.makeNode(own),
            rest: collected.plan.makeNode(rest)))
      }
    }
    guard !members.isEmpty || !within.isEmpty else { return nil }
    self.members = members
    self.within = within
    self.certain = certain
    certainKeys = Set(certain)
  }
}

// MARK: - Conditions

extension Assumptions {
  /// A condition within another one.
  static func both(_ outer: String?, _ inner: String) -> String {
    outer.map { "\($0) & \(inner)" } ?? inner
  }

  /// The conditions that one consists of, and those around each of them.
  static func parts(of condition: String) -> Set<String> {
    let names = condition.split(separator: " & ").map(String.init)
    return Set(names).union(names.indices.map { names[...$0].joined(separator: " & ") })
  }

  /// Whether selections have only plain fields, all of which others have, too.
  private static func haveNoMore(_ own: [SelectionSet], than rest: [SelectionSet]) -> Bool {
    let fields = own.flatMap(\.selections).map(\.plainField)
    let others = Dictionary(
      grouping: rest.flatMap(\.selections).compactMap(\.plainField), by: \.responseKey)
    return fields.allSatisfy { field in
      guard let field, let same = others[field.responseKey] else { return false }
      return field.selectionSet.map { haveNoMore([$0], than: same.compactMap(\.selectionSet)) }
        ?? true
    }
  }
}

extension Selection {
  /// The field, if no directive may leave it out.
  fileprivate var plainField: Field? {
    if case .field(let field) = self, field.directives.isEmpty { field } else { nil }
  }
}

// MARK: - Learning

extension Assumptions {
  /// Learns from an object of a type which conditions hold. A missing member means something only
  /// if the object has all members that are certain: data written by hand may be partial. It means
  /// nothing if the whole data is a part, `mayLackMembers`.
  func learn(
    from object: TapeIndex, of type: TypeID, _ tape: JSONTape, _ bindings: Bindings,
    mayLackMembers: Bool = false
  ) {
    let catalog = bindings.catalog
    let index = MemberIndex(tape, object: object)
    let isWhole = !mayLackMembers && index.has(certain, tape)
    var found: [String: Set<Bool>] = [:]
    for member in members {
      if index.value(named: member.responseKey, tape) != nil {
        if member.conditions.count == 1 {
          for condition in member.conditions { found[condition, default: []].insert(true) }
        }
      } else if isWhole {
        for condition in member.conditions { found[condition, default: []].insert(false) }
      }
    }
    for place in within where found[place.condition] == nil {
      let value = index.value(named: place.responseKey, tape)
      if let value, let holds = holds(place.own, place.rest, value, tape, bindings),
        holds || !mayLackMembers
      {
        found[place.condition, default: []].insert(holds)
      }
    }
    // Contradictory observations are ignored.
    for (condition, values) in found where values.count == 1 && !condition.isEmpty {
      catalog.learn(condition, holds: values.contains(true), for: type)
    }
  }

  /// Whether objects have what a condition selects of them; nil if they do not show it.
  private func holds(
    _ own: SelectionNode, _ rest: SelectionNode, _ value: TapeIndex, _ tape: JSONTape,
    _ bindings: Bindings
  ) -> Bool? {
    switch tape[value].kind {
    case .array:
      for element in tape.children(of: value) {
        if let holds = holds(own, rest, element, tape, bindings) { return holds }
      }
      return nil
    case .object:
      guard
        let type = (rest.typename(of: value, tape) ?? own.typename(of: value, tape))
          .flatMap(bindings.catalog.objectType)
      else { return nil }
      return holds(bindings.shape(own, type), bindings.shape(rest, type), value, tape, bindings)
    default: return nil
    }
  }

  private func holds(
    _ own: Shape, _ rest: Shape, _ object: TapeIndex, _ tape: JSONTape, _ bindings: Bindings
  ) -> Bool? {
    let index = MemberIndex(tape, object: object)
    let isWhole = index.has(rest.certainKeys, tape)
    for key in own.certainKeys {
      guard let other = rest.field(named: key) else {
        if index.value(named: key, tape) != nil { return true }
        if isWhole { return false }
        continue
      }
      guard let mine = own.field(named: key)?.child,
        let others = other.child,
        let value = index.value(named: key, tape),
        let holds = holds(mine, others, value, tape, bindings)
      else { continue }
      return holds
    }
    return nil
  }

  /// Whether every object of the type has a member.
  package func isCertain(_ key: [UInt8]) -> Bool { certainKeys.contains(key) }
}

extension MemberIndex {
  fileprivate func value(named key: [UInt8], _ tape: JSONTape) -> TapeIndex? {
    // Proof: the key is only compared; the pointer is not kept.
    key.withUnsafeBufferPointer { find($0, in: tape.keyList(object), tape) }
  }

  fileprivate func has(_ keys: [[UInt8]], _ tape: JSONTape) -> Bool {
    keys.allSatisfy { value(named: $0, tape) != nil }
  }
}

extension Shape {
  /// The response keys that every object of the type is known to have.
  fileprivate var certainKeys: [[UInt8]] {
    fields.map(\.responseKey).filter { assumptions?.isCertain($0) ?? true }
  }
}
