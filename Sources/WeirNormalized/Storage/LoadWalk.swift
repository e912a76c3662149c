import GraphQLLanguage
import Weir

/// Finds what a selection needs that memory lacks and the storage has not been asked for, as far as
/// can be told from what is in memory: one level of records at a time.
struct LoadWalk {
  let catalog: Catalog
  let records: RecordState
  let lookedUp: LookedUp
  var bindings: Bindings
  private(set) var wanted = LookUps()
  /// Where to go on when that is there.
  private(set) var next = Places()
  private var isWanted = RecordFlags()
  /// By node: which records are in ``next`` with it, and the shape that was met last.
  private var nodes: ContiguousArray<NodeNotes> = []

  private struct NodeNotes {
    var isNext = RecordFlags()
    var shape: Shape?
  }

  /// Selections, each of an entity, of an object that is embedded, or of a root.
  struct Places {
    var records: ContiguousArray<(record: RecordReference, node: SelectionNode)> = []
    /// Those that memory had no row for.
    var entities: [(entity: Entity, node: SelectionNode)] = []

    var isEmpty: Bool { records.isEmpty && entities.isEmpty }

    init() {}

    init(_ target: ReadTarget, _ plan: OperationPlan) {
      switch target.origin {
      case .root(let root): records = [(root.reference, plan.root)]
      case .entity(let entity): entities = [(entity, plan.root)]
      }
    }
  }

  init(_ records: RecordState, _ lookedUp: LookedUp, catalog: Catalog, bindings: Bindings) {
    self.records = records
    self.lookedUp = lookedUp
    self.catalog = catalog
    self.bindings = bindings
  }

  mutating func visit(_ places: Places) {
    wanted.records.reserveCapacity(places.records.count)
    for (record, node) in places.records { visit(record, node) }
    for (entity, node) in places.entities { visit(entity, node) }
  }
}

/// What to ask a storage for.
struct LookUps {
  /// Entities that have a row.
  var records: ContiguousArray<RecordReference> = []
  /// Entities that have none.
  var entities: Set<Entity> = []
  /// Of the query's root.
  var fields: Set<FieldID> = []
  /// Lists of the query's root, with all their pages.
  var lists: Set<FieldID> = []

  var isEmpty: Bool {
    records.isEmpty && entities.isEmpty && fields.isEmpty && lists.isEmpty
  }
}

// MARK: - Objects

extension LoadWalk {
  private mutating func visit(_ entity: Entity, _ node: SelectionNode) {
    if let record = records.record(of: entity, catalog) { return visit(record, node) }
    guard !lookedUp.entities.contains(entity), !entity.id.isEmpty else { return }
    wanted.entities.insert(entity)
    next.entities.append((entity, node))
  }

  private mutating func visit(_ record: RecordReference, _ node: SelectionNode) {
    let header = records.headerIfPresent(record)
    guard header != 0 else { return }
    let type = RowHeader(bits: header).type
    if type == .removed { return want(record, record, node) }
    let shape = shape(of: node, type)
    for index in shape.steps.indices {
      let step = shape.steps[index]
      if step.kind == .typename { continue }
      if step.kind == .leaf {
        if !records.cell(record, step.place).isAbsent { continue }
      }
      visit(shape.fields[index], record, node)
    }
  }

  private mutating func shape(of node: SelectionNode, _ type: TypeID) -> Shape {
    makeNotes(on: node)
    if let known = nodes[node.number].shape, known.type == type { return known }
    let shape = bindings.shape(node, type, isRoot: type.rawValue < 3)
    nodes[node.number].shape = shape
    return shape
  }

  private mutating func makeNotes(on node: SelectionNode) {
    while nodes.count <= node.number { nodes.append(NodeNotes()) }
  }

  private mutating func visit(
    _ field: ShapeField, _ record: RecordReference, _ node: SelectionNode
  ) {
    if case .computed(let computed) = field.place {
      for name in computed.dependencies {
        let place = catalog.place(catalog.field(name, name: name), table: record.table)
        if records.cell(record, place).isAbsent { want(record, place, node) }
      }
      return
    }
    guard let place = bindings.place(field.place, table: record.table) else { return }
    if field.pages != nil { visitPages(of: place, field, record, node) }
    let cell = records.cell(record, place)
    if cell.isAbsent {
      want(record, place, node)
      redirect(field)
    } else if let child = field.child {
      visit(cell, of: record, child)
    }
  }

  private mutating func visit(_ cell: Cell, of owner: RecordReference, _ node: SelectionNode) {
    if cell.isReference {
      visit(cell.record, node)
    } else if cell.kind == .list {
      for element in records[owner].lists[cell.list] { visit(element, of: owner, node) }
    }
  }

  /// A list that shows several pages needs all of them.
  private mutating func visitPages(
    of page: FieldPlace, _ field: ShapeField, _ record: RecordReference, _ node: SelectionNode
  ) {
    guard let list = catalog.info(page.field).list, let child = field.child else { return }
    if record == RootType.query.reference, !lookedUp.lists.contains(list) {
      wanted.lists.insert(list)
      goOn(record, node)
    }
    for other in catalog.pages(of: list) where other != page.field {
      visit(
        records.cell(record, FieldPlace(field: other, slot: -1)), of: record, child)
    }
  }

  /// A field whose arguments say which entities it would be.
  private mutating func redirect(_ field: ShapeField) {
    guard let redirect = field.policy?.redirect, let node = field.child,
      let named = redirect.entities(of: field, bindings.variables, catalog)
    else { return }
    for case .some(let entity) in named.entities { visit(entity, node) }
  }
}

// MARK: - What is missing

extension LoadWalk {
  /// A field of an object is not there.
  private mutating func want(
    _ record: RecordReference, _ place: FieldPlace, _ node: SelectionNode
  ) {
    guard let owner = records.owner(of: record) else { return }
    guard owner.record == RootType.query.reference else {
      return want(owner.record, record, node)
    }
    let field = owner.field ?? place.field
    guard !lookedUp.fields.contains(field) else { return }
    wanted.fields.insert(field)
    goOn(record, node)
  }

  private mutating func want(
    _ entity: RecordReference, _ record: RecordReference, _ node: SelectionNode
  ) {
    guard entity.table > RootType.subscription.rawValue, !lookedUp.records.contains(entity),
      records[entity].key(entity.rowInChunk).kind == .string
    else { return }
    if isWanted.insert(entity) { wanted.records.append(entity) }
    goOn(record, node)
  }

  /// Visits this again in the next round.
  private mutating func goOn(_ record: RecordReference, _ node: SelectionNode) {
    makeNotes(on: node)
    if nodes[node.number].isNext.insert(record) { next.records.append((record, node)) }
  }
}
