import TestSupport
import Weir
import WeirNormalized

/// A removal by hand.
struct Removal {
  enum Content {
    case entity(Entity, cascades: Bool, references: ReferencePolicy)
    case type(String)
    case field(String, Entity, argument: Int?)
  }

  let content: Content

  static let entities =
    ["1", "2", "é\"(,:", "a rather long id, which no cell holds"].map { Entity("K0", id: $0) }
    + ["0", "1", "3000000001"].map { Entity("K1", id: $0) }

  init(_ random: inout SeededRandom) {
    let entity = random.pick(Self.entities)
    let field = random.pick(RandomSchema.scalars + RandomSchema.composites)
    content =
      switch random.below(8) {
      case 0...1: .entity(entity, cascades: false, references: .dangling)
      case 2: .entity(entity, cascades: true, references: .dangling)
      case 3...4: .entity(entity, cascades: random.chance(30), references: .removed)
      case 5: .type(random.pick(RandomSchema.keyed))
      case 6: .field(field, entity, argument: random.pick([nil, 1]))
      default: .field(field, .query, argument: random.pick([nil, 1]))
      }
  }

  func perform(in transaction: inout StoreTransaction) {
    switch content {
    case .entity(let entity, let cascades, let references):
      transaction.remove(.entity(entity), cascades: cascades, references: references)
    case .type(let name): transaction.remove(.type(name))
    case .field(let name, let entity, let argument):
      transaction.remove(
        .field(name, of: entity, arguments: argument.map { ["n": .int(Int64($0))] }))
    }
  }
}

extension Oracle {
  /// The effect of a removal: changed fields, and removed entities.
  struct Patch {
    struct Change {
      let record: String
      let type: String
      let field: String
      /// The field's new content, with the records below it.
      var node: Node?
      var below: [String: Record] = [:]
    }

    var changes: [Change] = []
    var removed: Set<String> = []
  }

  var entities: [String] { records.keys.filter { $0.contains(":") && !$0.contains("/") } }

  func patch(for removal: Removal) -> Patch {
    var patch = Patch()
    switch removal.content {
    case .field(let name, let entity, let argument):
      let key = entity == .query ? "Query" : entity.description
      for field in (records[key]?.fields.keys.sorted() ?? [])
      where argument.map({ "\(name)(\($0))" == field }) ?? (field.prefix { $0 != "(" } == name) {
        add(key, field, to: &patch)
      }
    case .type(let name):
      patch.removed = Set(entities.filter { records[$0]?.type == name })
    case .entity(let entity, let cascades, _):
      patch.removed = cascades ? reachable(from: entity.description) : [entity.description]
    }
    for key in patch.removed.sorted() {
      for field in records[key]?.fields.keys.sorted() ?? [] { add(key, field, to: &patch) }
    }
    if case .entity(_, _, .removed) = removal.content, !patch.removed.isEmpty {
      var after = self
      after.apply(patch, arrival: .max)
      after.addReferences(to: &patch)
    }
    return patch
  }

  private func add(_ record: String, _ field: String, to patch: inout Patch) {
    guard let type = records[record]?.type else { return }
    patch.changes.append(Patch.Change(record: record, type: type, field: field))
  }

  private func reachable(from key: String) -> Set<String> {
    var found: Set<String> = [key]
    var pending = [key]
    func visit(_ node: Node) {
      switch node {
      case .object(let key): if found.insert(key).inserted { pending.append(key) }
      case .list(let nodes): for node in nodes { visit(node) }
      case .leaf, .hole: break
      }
    }
    while let key = pending.popLast() {
      for node in records[key]?.fields.values ?? [:].values { visit(node) }
    }
    return found.filter { !$0.contains("/") && $0 != "Query" }
  }

  /// Adds the references to removed entities: they are removed, or taken out of lists. The deepest
  /// records come first.
  private mutating func addReferences(to patch: inout Patch) {
    for key in records.keys.sorted(by: { ($1.count, $1) < ($0.count, $0) }) {
      for field in records[key]?.fields.keys.sorted() ?? [] {
        guard let node = records[key]?.fields[field], refers(node, to: patch.removed) else {
          continue
        }
        add(key, field, to: &patch)
        if case .list = node {
          let place = "\(key)/\(field)"
          var below: [String: Record] = [:]
          patch.changes[patch.changes.count - 1].node = without(
            patch.removed, node, place: place, &below)
          patch.changes[patch.changes.count - 1].below = below
        }
        if let change = patch.changes.last { apply(change) }
      }
    }
  }

  private func refers(_ node: Node, to removed: Set<String>) -> Bool {
    switch node {
    case .object(let key): removed.contains(key)
    case .list(let nodes): nodes.contains { refers($0, to: removed) }
    case .leaf, .hole: false
    }
  }

  /// A list without the removed entities; embedded objects move up.
  private func without(
    _ removed: Set<String>, _ node: Node, place: String, _ below: inout [String: Record]
  ) -> Node {
    switch node {
    case .list(let nodes):
      var kept: [Node] = []
      for node in nodes {
        if case .object(let key) = node, removed.contains(key) { continue }
        kept.append(without(removed, node, place: "\(place)/\(kept.count)", &below))
      }
      return .list(kept)
    case .object(let key) where key.contains("/"):
      for (path, record) in records where path == key || path.hasPrefix(key + "/") {
        var moved = record
        moved.fields = record.fields.mapValues { Self.moved($0, from: key, to: place) }
        below[place + path.dropFirst(key.count)] = moved
      }
      return .object(place)
    case .object, .leaf, .hole: return node
    }
  }

  private static func moved(_ node: Node, from key: String, to place: String) -> Node {
    switch node {
    case .object(let path) where path.hasPrefix(key + "/"):
      .object(place + path.dropFirst(key.count))
    case .list(let nodes): .list(nodes.map { moved($0, from: key, to: place) })
    case .object, .leaf, .hole: node
    }
  }

  /// Data that is older than the removal but arrived after it proves that its entities exist.
  mutating func apply(_ patch: Patch, arrival: Int) {
    for change in patch.changes { apply(change) }
    for key in patch.removed where arrivals[key] ?? 0 <= arrival { remove(below: key) }
  }

  private mutating func apply(_ change: Patch.Change) {
    guard records[change.record]?.type == change.type else { return }
    remove(below: "\(change.record)/\(change.field)")
    records[change.record]?.fields[change.field] = change.node
    records.merge(change.below) { _, new in new }
  }

  /// Removes collected entities and root fields.
  mutating func forget(_ entities: [String], keepingFields kept: Set<String>) {
    for key in entities { remove(below: key) }
    for field in records["Query"]?.fields.keys.sorted() ?? [] {
      let name = field.prefix { $0 != "(" }
      let arguments = field.dropFirst(name.count + 1).dropLast()
      let storageKey = arguments.isEmpty ? field : "\(name)({\"n\":\(arguments)})"
      guard !kept.contains(storageKey) else { continue }
      remove(below: "Query/\(field)")
      records["Query"]?.fields[field] = nil
    }
  }
}
