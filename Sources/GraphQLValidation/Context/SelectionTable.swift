import GraphQLLanguage

/// The selection sets of all definitions, each with the fields of its inline fragments.
///
/// The nodes of a syntax tree have no identity. Here a field and a selection set are numbers.
struct SelectionTable {
  typealias FieldID = Int
  typealias SetID = Int

  struct FieldUse {
    let field: Field
    let file: SourceFile
    /// The type that the innermost fragment or field around it selects from.
    let parent: SchemaType?
    /// The type of the field; nil if the field is unknown.
    let type: TypeReference?
    var selectionSet: SetID?
  }

  struct SetUse {
    var fields: [FieldID] = []
    /// The spreads by the positions of the fragments.
    var spreads: [Int] = []
    /// Whether a fragment is spread that no file defines.
    var hasUnknownSpread = false
  }

  private(set) var fields: [FieldUse] = []
  private(set) var sets: [SetUse] = []
  /// The selection set of each fragment.
  private(set) var fragmentSets: [Int: SetID] = [:]

  mutating func addSet() -> SetID {
    sets.append(SetUse())
    return sets.count - 1
  }

  mutating func add(_ field: FieldUse, to set: SetID) -> FieldID {
    fields.append(field)
    sets[set].fields.append(fields.count - 1)
    return fields.count - 1
  }

  mutating func setSelectionSet(_ set: SetID, of field: FieldID) {
    fields[field].selectionSet = set
  }

  mutating func addSpread(of fragment: Int, to set: SetID) {
    sets[set].spreads.append(fragment)
  }

  mutating func addUnknownSpread(to set: SetID) {
    sets[set].hasUnknownSpread = true
  }

  /// Returns selection sets and those of the fragments in them, each once.
  func closure(of sets: [SetID]) -> [SetID] {
    var all: [SetID] = []
    var visited: Set<SetID> = []
    var stack: [SetID] = sets.reversed()
    while let set = stack.popLast() {
      guard visited.insert(set).inserted else { continue }
      all.append(set)
      stack += self.sets[set].spreads.reversed().compactMap { fragmentSets[$0] }
    }
    return all
  }

  /// Returns all fields of a selection set and the fragments in it; nil if one of these fragments is
  /// unknown, so that there may be more fields.
  func allFields(of set: SetID) -> [FieldUse]? {
    let all = closure(of: [set])
    if all.contains(where: { sets[$0].hasUnknownSpread }) { return nil }
    return all.flatMap { sets[$0].fields }.map { fields[$0] }
  }

  mutating func setFragment(_ fragment: Int, _ set: SetID) {
    fragmentSets[fragment] = set
  }
}
