import Weir

/// A snapshot of the state at the beginning of a transaction.
struct TransactionStart {
  let catalog: Catalog
  var records: RecordState
  let writeCount: UInt64
  let version: UInt64
  var listFields: ListFields
  /// Whether there may be records that memory lacks.
  let hasStorage: Bool
  /// The fields that later requests have written already.
  var newer: [RecordReference: WrittenFields] = [:]
  /// Entities that exist only since the request was sent.
  var newEntities: Set<RecordReference> = []
  /// Whether other requests are in flight, which may bring what the transaction removes.
  var hasOtherRequests = false
}

/// The effects of a transaction, beside those on its copy of the records.
struct TransactionOutcome {
  var changes = ChangeSet()
  /// Fields that were written with a new age, and may otherwise be the same as before.
  var refreshed = ChangeSet()
  /// Fields that become stale earlier than before, and may otherwise be the same.
  var shortened = ChangeSet()
  var writes: ContiguousArray<(record: RecordReference, fields: WrittenFields)> = []
  /// Fields to be marked as stale.
  var staleFields = InvalidatedFields()
  /// Out-of-date data that earlier requests may still bring.
  var superseded = SupersededData()
  /// Removals and invalidations by name, for the storage.
  var storageChanges: [StorageChange] = []
  /// Entities that were written, to be put into lists and taken out of them.
  var touched: [RecordReference] = []
  /// Whether a whole type became stale.
  var invalidatesType = false
  /// The fields that hold lists, by the tables of the elements.
  var listFields: ListFields
  /// The latest change of any page that a snapshot has brought.
  var latestOrder: UInt64 = 0
  var diagnostics: [StoreDiagnostic] = []
  /// Whether the app has made the data. A server's mistakes are no reason to refuse a response.
  var isByHand = false

  /// Whether there is nothing to take over.
  var isEmpty: Bool {
    changes.isEmpty && writes.isEmpty && staleFields.isEmpty && storageChanges.isEmpty
      && superseded.isEmpty
  }
}

/// Data that was invalidated or changed and that a response in flight may still bring, out of date: by
/// name, because the store need not have it yet.
struct SupersededData {
  var types: Set<TypeID> = []
  var entities: Set<Entity> = []
  /// The beginnings of entities' keys.
  var prefixes: Set<ExactString> = []
  /// All lists of these tables' records.
  var listsOf: Set<TableID> = []
  /// All variants of these fields.
  var fields: Set<ListFields.Field> = []
  /// The fields and entities about which an event has changed no list. The response in flight is newer than
  /// these lists, and need not contradict the event either.
  var confirmed: [ListFields.Field: ConfirmedLists] = [:]
  /// Whether that includes the query's empty lists of which nothing says what they hold.
  var hasUnknownLists = false

  var isEmpty: Bool {
    types.isEmpty && entities.isEmpty && prefixes.isEmpty && listsOf.isEmpty && fields.isEmpty
      && confirmed.isEmpty && !hasUnknownLists
  }

  /// Adds what was noted later.
  mutating func formUnion(_ other: SupersededData) {
    types.formUnion(other.types)
    entities.formUnion(other.entities)
    prefixes.formUnion(other.prefixes)
    listsOf.formUnion(other.listsOf)
    fields.formUnion(other.fields)
    for (field, lists) in other.confirmed {
      confirmed[field]?.formUnion(lists)
      let all = confirmed[field] ?? lists
      confirmed[field] = all
      // A ticker may bring any number of entities while one request takes long.
      if all.isLarge { fields.insert(field) }
    }
    for field in fields { confirmed[field] = nil }
    hasUnknownLists = hasUnknownLists || other.hasUnknownLists
  }

  /// Whether a list that a response has written may be older than an event: it lacks an entity that it should
  /// have, or the other way round, or nobody knows whether it should.
  func contradicts(
    _ field: ListFields.Field, at place: FieldPlace, of owner: RecordReference,
    _ records: RecordState, _ catalog: Catalog
  ) -> Bool {
    guard let confirmed = confirmed[field] else { return false }
    let list = ListPlace(owner: owner, field: place.field)
    guard confirmed.cached.contains(list),
      let held = records.entities(inListAt: place, of: owner, catalog)
    else { return true }
    return confirmed.holders.contains { entity, lists in
      lists.contains(list) != held.contains(entity)
    }
  }
}

/// The lists of a field that were cached when events brought entities, and were right about them.
struct ConfirmedLists {
  /// The lists that were there at all of these events.
  var cached: Set<ListPlace>
  /// By entity, the lists that held it at its last event.
  var holders: [RecordReference: Set<ListPlace>]

  /// Whether it costs more to note them than to request responses again.
  var isLarge: Bool { holders.count > 4_096 }

  /// Adds what was noted later.
  mutating func formUnion(_ other: ConfirmedLists) {
    cached.formIntersection(other.cached)
    holders.merge(other.holders) { $1 }
  }
}

/// One variant of a field of one record.
struct ListPlace: Hashable {
  let owner: RecordReference
  let field: FieldID
}

/// A removal or invalidation of records by name, whether memory has them or not.
struct StorageChange {
  enum Content {
    case selection(StoreSelection.Content)
    /// A field of all entities of a key space, or of the query's root, where only the storage has it.
    case stored(ListFields.Field)
  }

  let content: Content
  /// Whether the records are to be marked as stale, not removed.
  let isInvalidation: Bool

  /// Equal for changes that do the same. Names that only look the same are different.
  var identity: [ExactString] {
    let parts =
      switch content {
      case .selection(.entity(let entity)): ["entity", entity.typename, entity.id]
      case .selection(.type(let name)): ["type", name]
      case .selection(.prefix(let prefix)): ["prefix", prefix]
      case .selection(.field(let name, let entity, let arguments)):
        ["field", name, entity.typename, entity.id] + (arguments.map { ["\($0)"] } ?? [])
      case .stored(let field): ["stored", "\(field.table)", field.name]
      }
    return (parts + [isInvalidation ? "stale" : "removed"]).map(ExactString.init)
  }
}
