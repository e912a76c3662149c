import Weir

/// The errors of fields that servers could not resolve when they were last requested.
///
/// An operation may show them again instead of requesting the field once more.
struct KnownErrors {
  /// Bounds the memory that a server's errors can take: about 4,000 usual ones.
  private static let maximumBytes = 1 << 20

  /// The errors of a response that a table has room for: the last ones. They are measured before the lock
  /// is taken, because a server may send millions, and long ones.
  struct New {
    fileprivate(set) var errors: [(error: GraphQLError, bytes: Int)] = []
    /// Whether earlier ones do not fit.
    fileprivate(set) var isCut = false

    init(_ all: [GraphQLError]) {
      var room = KnownErrors.maximumBytes
      for error in all.reversed() where !error.path.isEmpty {
        let others = error.otherMembers.isEmpty ? nil : JSONValue.object(error.otherMembers)
        let extensions = [error.extensions, others].lazy.compactMap(\.self)
          .reduce(0) { sum, members in sum + ((try? JSON(members).bytes.count) ?? 0) }
        // The 256 bytes include a short path, which is kept twice.
        let path = max(0, error.path.count - 4) * 2 * MemoryLayout<GraphQLError.PathElement>.stride
        let bytes = 256 + error.message.utf8.count + extensions + path
        // One that is too large for the table replaces what is known of its field.
        if bytes <= KnownErrors.maximumBytes { room -= bytes }
        if room < 0 {
          isCut = true
          break
        }
        errors.append((error, bytes))
      }
      errors.reverse()
    }
  }

  struct Failure {
    let field: FieldOnPath
    let error: GraphQLError
    /// About how many bytes it takes.
    let bytes: Int
  }

  /// By field, because the query root may have thousands, of as many arguments; and by the place in its
  /// value, because a list may have thousands of elements.
  private var failures: [RecordReference: [FieldID: [[GraphQLError.PathElement]: [Failure]]]] = [:]
  private var bytes = 0

  /// The fields that have failed.
  var fieldNumbers: Set<FieldID> {
    failures.values.reduce(into: []) { $0.formUnion($1.keys) }
  }

  /// A response has said that fields failed. `isCut` says whether others did that do not fit.
  mutating func note(_ new: [Failure], isCut: Bool) {
    for failure in new { forget(failure.field.record, failure.field.place) }
    let new = new.filter { $0.bytes <= Self.maximumBytes }
    let size = new.reduce(0) { $0 + $1.bytes }
    if isCut || bytes + size > Self.maximumBytes { self = KnownErrors() }
    bytes += size
    for failure in new {
      let field = failure.field
      failures[field.record, default: [:]][field.place.field, default: [:]][
        field.pathToNull, default: []
      ].append(failure)
    }
  }

  /// A field was requested again or invalidated.
  ///
  /// - Returns: whether it had an error.
  @discardableResult
  mutating func forget(_ record: RecordReference, _ place: FieldPlace) -> Bool {
    guard let known = failures[record]?.removeValue(forKey: place.field) else { return false }
    subtract(known)
    if failures[record]?.isEmpty == true { failures[record] = nil }
    return true
  }

  private mutating func forget(_ record: RecordReference) {
    for known in (failures.removeValue(forKey: record) ?? [:]).values { subtract(known) }
  }

  private mutating func subtract(_ known: [[GraphQLError.PathElement]: [Failure]]) {
    for failure in known.values.joined() { bytes -= failure.bytes }
  }

  /// Records were written, removed or invalidated.
  mutating func forget(_ changes: ChangeSet) {
    guard !failures.isEmpty else { return }
    for change in changes.changes {
      guard let known = failures[change.record] else { continue }
      // An invalidated type stands for all fields of its records, also for those without a slot.
      if change.isNew || change.isRemoved || change.changesType || change.slots == .max {
        forget(change.record)
      } else {
        for failure in known.values.lazy.compactMap(\.values.first?.first)
        where change.contains(failure.field.place) {
          forget(change.record, failure.field.place)
        }
      }
    }
  }

  /// Records or fields were removed or invalidated by name. A field that has failed has no value, so no change
  /// contains it.
  ///
  /// - Returns: the fields whose errors were forgotten.
  mutating func forget(
    _ data: SupersededData, _ records: RecordState, _ catalog: Catalog
  ) -> [(record: RecordReference, place: FieldPlace)] {
    var forgotten: [(record: RecordReference, place: FieldPlace)] = []
    guard !failures.isEmpty, !data.isEmpty else { return forgotten }
    let entities = Set(data.entities.compactMap { records.record(of: $0, catalog) })
    for (record, known) in failures {
      let isWhole =
        entities.contains(record) || data.types.contains(records.header(record).type)
        || records.hasKey(record, in: data.prefixes, catalog)
      for place in known.values.compactMap(\.values.first?.first?.field.place) {
        let field = ListFields.Field(table: record.table, name: catalog.info(place.field).name)
        guard isWhole || data.fields.contains(field) || data.confirmed[field] != nil else {
          continue
        }
        forget(record, place)
        forgotten.append((record, place))
      }
    }
    return forgotten
  }

  /// The errors that made a field null, as a result that lacks it at `path` reports them; nil if none is
  /// known.
  func errors(of field: FieldOnPath, at path: [GraphQLError.PathElement]) -> [GraphQLError]? {
    failures[field.record]?[field.place.field]?[field.pathToNull]?.map { failure in
      GraphQLError(
        message: failure.error.message, path: path + failure.field.rest,
        extensions: failure.error.extensions, otherMembers: failure.error.otherMembers)
    }
  }
}
