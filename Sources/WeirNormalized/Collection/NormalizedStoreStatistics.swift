import Weir

/// How much a store holds.
public struct NormalizedStoreStatistics: Hashable, Sendable {
  /// Entities, embedded objects and roots.
  public var records: Int
  /// The bytes of the records in memory: live data and the arguments of the query root's fields, without the
  /// overhead of allocations.
  public var recordBytes: Int
  /// The operations whose results are kept.
  public var results: Int
  /// The bytes of these results and their variables.
  public var resultBytes: Int
  /// The operations that are watched.
  public var watched: Int
  /// The operations and entities that are pinned.
  public var pinned: Int
  /// The optimistic results that are shown.
  public var layers: Int
  /// The fields that are known by name and arguments.
  public var fields: Int
  /// How many records collections have evicted so far.
  public var collected: Int

  /// The bytes that ``NormalizedCacheConfiguration/maximumBytes`` limits.
  public var bytes: Int { recordBytes + resultBytes }
}

extension NormalizedStoreStatistics {
  fileprivate mutating func add(_ other: NormalizedStoreStatistics) {
    records += other.records
    recordBytes += other.recordBytes
    results += other.results
    resultBytes += other.resultBytes
    watched += other.watched
    pinned += other.pinned
    layers += other.layers
    fields += other.fields
    collected += other.collected
  }
}

extension NormalizedStore {
  /// How much the store holds, in all partitions. Visits each operation that is known.
  public var statistics: NormalizedStoreStatistics {
    guard isMain else { return ownStatistics }
    return partitions.all.reduce(into: ownStatistics) { $0.add($1.ownStatistics) }
  }

  private var ownStatistics: NormalizedStoreStatistics {
    let fields = catalog.fieldCount
    return state.withLock { state in
      let entries = state.results.entries.values
      return NormalizedStoreStatistics(
        records: state.records.count, recordBytes: state.size.records + state.size.names,
        results: entries.count { $0.reading?.payload != nil }, resultBytes: state.size.results,
        watched: entries.count { $0.isWatched }, pinned: state.size.pins.count,
        layers: state.layers.list.count, fields: fields, collected: state.size.collected)
    }
  }
}
