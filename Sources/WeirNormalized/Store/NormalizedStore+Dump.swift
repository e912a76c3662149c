public import Weir

/// The content of a store at one moment, for people; see ``NormalizedStore/dump()``.
public struct StoreDump: Sendable, CustomStringConvertible {
  /// The content as an object with `records` and `results`.
  ///
  /// `records` has the fields of each entity and root by its key, such as `Todo:1`. A field with arguments
  /// has them in its name. A reference is an object with the member `$ref`. The member `$freshFor` has the
  /// milliseconds after which fields become stale, if they do; zero for those that are. `results` has an
  /// object for each operation: its `name`, whether it `isWatched`, `isComplete` and `isStale`; how many
  /// `watchers` wait for a change; and its `age`, the milliseconds since a response to it was written,
  /// or null if its data came with other operations.
  public let json: JSONValue

  /// A line for each record, field and result.
  public var description: String {
    var lines: [String] = []
    for (key, fields) in json["records"]?.object?.byName ?? [] {
      lines.append(key)
      for (name, value) in fields.object?.byName ?? [] { lines.append("  \(name): \(value)") }
    }
    for result in json["results"]?.array ?? [] {
      let flags = ["isWatched", "isComplete", "isStale"].filter { result[$0] == .bool(true) }
      let age = result["age"]?.int.map { ["\($0) ms old"] } ?? []
      lines.append(([result["name"]?.string ?? ""] + age + flags).joined(separator: " "))
    }
    return lines.joined(separator: "\n")
  }
}

extension NormalizedStore {
  /// Returns what memory has of this partition: records with optimistic results, and the operations
  /// whose results are kept. Visits every record, so use it for tests and while you search for a mistake.
  ///
  /// The dump contains your users' data.
  public func dump() -> StoreDump {
    let now = milliseconds
    let (records, results) = state.withLock { state in
      (state.visible, state.results.entries.values.map { $0.dump(now: now) })
    }
    var content = JSONObject()
    let roots = RootType.allCases.map(\.reference)
    for record in roots + records.entities() where records.header(record).type != .removed {
      guard let key = records.entity(record, catalog) else { continue }
      let fields = records.dump(record, catalog, now: now)
      if fields.object?.isEmpty == false {
        content[key.id.isEmpty ? key.typename : "\(key)"] = fields
      }
    }
    let sorted = results.sorted { ($0["name"]?.string ?? "") < ($1["name"]?.string ?? "") }
    return StoreDump(json: ["records": .object(content), "results": .array(sorted)])
  }
}

extension JSONObject {
  fileprivate var byName: [(key: String, value: JSONValue)] { sorted { $0.key < $1.key } }
}

extension OperationEntry {
  fileprivate func dump(now: Int64) -> JSONValue {
    [
      "name": .string("\(target)"), "isWatched": .bool(isWatched),
      "isComplete": .bool(reading?.isComplete ?? false),
      "isStale": .bool(freshUntil <= now),
      "watchers": .int(Int64(source.waiterCount)),
      "age": freshness.writtenAt.map { .int(now - $0) } ?? .null,
    ]
  }
}

extension RecordState {
  /// All fields of a record by their names with arguments.
  fileprivate func dump(_ record: RecordReference, _ catalog: Catalog, now: Int64) -> JSONValue {
    var object = JSONObject()
    if !record.isRoot, !catalog.typename(header(record).type).isEmpty {
      object["__typename"] = .string(catalog.typename(header(record).type))
    }
    var ages = JSONObject()
    for place in places(of: record, catalog) {
      let name = catalog.info(place.field).storageKey
      object[name] = dump(cell(record, place), of: record, catalog, now: now)
      let expiry = self[record].ages.expiry(record.rowInChunk, place.field)
      if expiry != RowAges.never { ages[name] = .int(max(0, expiry - now)) }
    }
    if !ages.isEmpty { object["$freshFor"] = .object(ages) }
    return .object(object)
  }

  private func dump(
    _ cell: Cell, of record: RecordReference, _ catalog: Catalog, now: Int64
  ) -> JSONValue {
    switch cell.kind {
    case .reference: ["$ref": .string(entity(cell.record, catalog).map { "\($0)" } ?? "")]
    case .embedded: dump(cell.record, catalog, now: now)
    case .list:
      .array(self[record][cell.list].map { dump($0, of: record, catalog, now: now) })
    case .absent, .null, .true, .false, .number, .string, .json:
      self[record].value(of: cell) ?? .null
    }
  }
}
