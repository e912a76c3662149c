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
  private(set) var next: [Place] = []
  private var isWanted = RecordFlags()
  /// Those of ``next`` that are perhaps there twice.
  private var repeated: Set<Place> = []

  /// A selection of an entity, of an object that is embedded, or of a root.
  struct Place: Hashable {
    let origin: Origin
    let node: SelectionNode

    enum Origin: Hashable {
      case record(RecordReference)
      /// One that memory had no row for.
      case entity(Entity)
    }

    static func == (left: Place, right: Place) -> Bool {
      left.origin == right.origin && left.node === right.node
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(origin)
      hasher.combine(node.number)
    }
  }

  init(_ records: RecordState, _ lookedUp: LookedUp, catalog: Catalog, bindings: Bindings) {
    self.records = records
    self.lookedUp = lookedUp
    self.catalog = catalog
    self.bindings = bindings
  }

  mutating func visit(_ place: Place) {
    switch place.origin {
    case .record(let record): visit(record, place.node)
    case .entity(let entity): visit(entity, place.node)
    }
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
    next.append(Place(origin: .entity(entity), node: node))
  }

  private mutating func visit(_ record: RecordReference, _ node: SelectionNode) {
    let header = records.headerIfPresent(record)
    guard header != 0 else { return }
    let type = RowHeader(bits: header).type
    if type == .removed { return want(record, record, node) }
    let shape = bindings.shape(node, type, isRoot: type.rawValue < 3)
    for field in shape.fields { visit(field, shape, record, node) }
  }

  private mutating func visit(
    _ field: ShapeField, _ shape: Shape, _ record: RecordReference, _ node: SelectionNode
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
      next.append(Place(origin: .record(record), node: node))
    }
    for other in catalog.pages(of: list) where other != page.field {
      visit(
        records.cell(record, FieldPlace(field: other, slot: -1)), of: record, child)
    }
  }

  /// A field whose arguments say which entities it would be.
  private mutating func redirect(_ field: ShapeField) {
    guard let redirect = field.policy?.redirect, let node = field.child,
      let named = redirect.entities(of: field, bindings.variables)
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
    let isFirst = wanted.fields.insert(field).inserted
    let place = Place(origin: .record(record), node: node)
    if isFirst || repeated.insert(place).inserted { next.append(place) }
  }

  private mutating func want(
    _ entity: RecordReference, _ record: RecordReference, _ node: SelectionNode
  ) {
    guard entity.table > RootType.subscription.rawValue, !lookedUp.records.contains(entity),
      records[entity].key(entity.rowInChunk).kind == .string
    else { return }
    let place = Place(origin: .record(record), node: node)
    if !isWanted.contains(entity) {
      isWanted.insert(entity)
      wanted.records.append(entity)
      next.append(place)
    } else if repeated.insert(place).inserted {
      next.append(place)
    }
  }
}
