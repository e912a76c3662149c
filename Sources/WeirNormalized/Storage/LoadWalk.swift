/// Finds what a selection needs, memory lacks and was not requested from the storage yet, as far as
/// memory shows it: one level of records at a time.
struct LoadWalk {
  let catalog: Catalog
  let records: RecordState
  let loaded: LoadedRecords
  var bindings: Bindings
  private(set) var missing = MissingRecords()
  /// Where to continue when that is loaded.
  private(set) var next = Places()
  var missingSet = RecordSet()
  /// By node: the records that are in ``next`` with it, and the last shape.
  var nodes: ContiguousArray<NodeNotes> = []

  struct NodeNotes {
    var isNext = RecordSet()
    var shape: Shape?
  }

  /// Selections, each of an entity, an embedded object or a root.
  struct Places {
    var records: ContiguousArray<(record: RecordReference, node: SelectionNode)> = []
    /// Entities that memory has no row for.
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

  mutating func visit(_ places: Places) {
    missing.records.reserveCapacity(places.records.count)
    for (record, node) in places.records { visit(record, node) }
    for (entity, node) in places.entities { visit(entity, node) }
  }
}

/// The records and fields to request from a storage.
struct MissingRecords {
  /// Entities that have a row.
  var records: ContiguousArray<RecordReference> = []
  /// Entities that have none.
  var entities: Set<Entity> = []
  /// Fields of the query's root.
  var fields: Set<FieldID> = []
  /// Lists of the query's root, with all their pages.
  var lists: Set<FieldID> = []

  var isEmpty: Bool {
    records.isEmpty && entities.isEmpty && fields.isEmpty && lists.isEmpty
  }
}

extension LoadWalk {
  /// The entities among what is missing.
  var entities: Set<Entity> {
    missing.entities.union(missing.records.compactMap { records.entity($0, catalog) })
  }
}

// MARK: - Objects

extension LoadWalk {
  private mutating func visit(_ entity: Entity, _ node: SelectionNode) {
    if let record = records.record(of: entity, catalog) { return visit(record, node) }
    guard !loaded.absentEntities.contains(entity), !entity.id.isEmpty else { return }
    missing.entities.insert(entity)
    next.entities.append((entity, node))
  }

  private mutating func visit(_ record: RecordReference, _ node: SelectionNode) {
    let header = records.headerIfPresent(record)
    guard header != 0 else { return }
    let type = RowHeader(bits: header).type
    if type == .removed { return request(record, record, node) }
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
    let shape = bindings.shape(node, type, isRoot: type.isRoot)
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
        if records.cell(record, place).isAbsent { request(record, place, node) }
      }
      return
    }
    guard let place = bindings.place(field.place, table: record.table) else { return }
    if field.pages != nil { visitPages(of: place, field, record, node) }
    let cell = records.cell(record, place)
    if cell.isAbsent {
      request(record, place, node)
      redirect(field)
    } else if let child = field.child {
      visit(cell, of: record, child)
    }
  }

  private mutating func visit(_ cell: Cell, of owner: RecordReference, _ node: SelectionNode) {
    if cell.isReference {
      visit(cell.record, node)
    } else if cell.kind == .list {
      for element in records[owner][cell.list] { visit(element, of: owner, node) }
    }
  }

  /// A list that shows several pages needs all of them.
  private mutating func visitPages(
    of page: FieldPlace, _ field: ShapeField, _ record: RecordReference, _ node: SelectionNode
  ) {
    guard let list = catalog.info(page.field).list, let child = field.child else { return }
    if record != RootType.query.reference {
      // An entity has all of its pages with it, and so has a field of the root.
      request(record, page, node)
    } else if !loaded.lists.contains(list) {
      missing.lists.insert(list)
      continueLater(record, node)
    }
    for other in records.pages(of: list, on: record, catalog) where other != page.field {
      visit(
        records.cell(record, FieldPlace(besideRow: other)), of: record, child)
    }
  }

  /// A field whose arguments name its entities.
  private mutating func redirect(_ field: ShapeField) {
    guard let redirect = field.policy?.redirect, let node = field.child,
      let named = redirect.entities(of: field, bindings.variables, catalog)
    else { return }
    for entity in named.entities.joined() { visit(entity, node) }
  }
}

// MARK: - What is missing

extension LoadWalk {
  /// An object lacks a field.
  private mutating func request(
    _ record: RecordReference, _ place: FieldPlace, _ node: SelectionNode
  ) {
    guard let owner = records.owner(of: record) else { return }
    guard owner.record == RootType.query.reference else {
      return request(owner.record, record, node)
    }
    let field = owner.field ?? place.field
    guard !loaded.fields.contains(field) else { return }
    missing.fields.insert(field)
    continueLater(record, node)
  }

  private mutating func request(
    _ entity: RecordReference, _ record: RecordReference, _ node: SelectionNode
  ) {
    guard !entity.isRoot, !loaded.records.contains(entity),
      records[entity].key(entity.rowInChunk).kind == .string
    else { return }
    if missingSet.insert(entity) { missing.records.append(entity) }
    continueLater(record, node)
  }

  /// Visits a selection again in the next round.
  private mutating func continueLater(_ record: RecordReference, _ node: SelectionNode) {
    makeNotes(on: node)
    if nodes[node.number].isNext.insert(record) { next.records.append((record, node)) }
  }
}
