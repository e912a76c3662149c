import Weir

/// The records that memory need not request from the storage: it has the same, or something newer.
struct LoadedRecords {
  var records = RecordSet()
  /// Fields of the query's root.
  var fields: Set<FieldID> = []
  /// Lists of the query's root of which all pages were requested.
  private(set) var lists: Set<FieldID> = []
  /// Lists of the query's root of which memory has evicted pages since.
  private(set) var evictedLists: Set<FieldID> = []
  /// Entities that the storage does not have, and memory has no row for.
  private(set) var absentEntities: Set<Entity> = []
  var coverage = Coverage.some

  /// How much of the storage memory has.
  enum Coverage {
    case some
    /// Everything is being loaded, and nothing of it has become incomplete meanwhile.
    case growing
    /// Everything.
    case all
  }

  /// Whether results that are watched may lack something that is not noted here as missing. Nobody would tell
  /// their watches when others add it.
  var mayLackNotes = true

  /// The same for optimistic results: their rows may be other records in memory.
  var withoutRecords: LoadedRecords {
    var copy = self
    copy.records = RecordSet()
    return copy
  }

  private static let maximumCount = 20_000

  mutating func insert(_ field: FieldID) {
    if fields.count >= Self.maximumCount { (fields, mayLackNotes) = ([], true) }
    fields.insert(field)
  }

  mutating func insert(absent entity: Entity) {
    if absentEntities.count >= Self.maximumCount { (absentEntities, mayLackNotes) = ([], true) }
    absentEntities.insert(entity)
  }

  mutating func insert(list: FieldID) {
    lists.insert(list)
    evictedLists.remove(list)
  }

  mutating func noteEvicted(list: FieldID) {
    lists.remove(list)
    if evictedLists.count >= Self.maximumCount { evictedLists = [] }
    evictedLists.insert(list)
  }

  mutating func remove(absent entity: Entity) {
    absentEntities.remove(entity)
  }

  /// Others may have added anything.
  mutating func forgetAbsent() {
    absentEntities = []
    lists = []
    coverage = .some
    mayLackNotes = true
  }
}
