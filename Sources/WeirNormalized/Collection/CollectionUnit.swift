/// Something that can be evicted by itself.
struct CollectionUnit: Comparable {
  enum Content {
    case entity(RecordReference)
    /// A field of the query root.
    case field(FieldPlace)
    /// The entry of an operation.
    case result(DependencyIndex.Watcher)
  }

  /// The version of the records at the last use.
  let lastUse: UInt64
  let content: Content

  /// Among units that were used at the same time, results go first: they can be made again.
  private var rank: Int {
    switch content {
    case .result: 0
    case .field: 1
    case .entity: 2
    }
  }

  static func < (left: CollectionUnit, right: CollectionUnit) -> Bool {
    (left.lastUse, left.rank) < (right.lastUse, right.rank)
  }

  static func == (left: CollectionUnit, right: CollectionUnit) -> Bool {
    left.lastUse == right.lastUse && left.rank == right.rank
  }

  /// Brings about a share of the units, the oldest, to the front.
  ///
  /// - Returns: how many those are.
  static func partition(_ units: inout [CollectionUnit], share: Double) -> Int {
    guard units.count > 1024, share < 1 else { return units.count }
    let step = units.count / 512
    let sample = stride(from: 0, to: units.count, by: step).map { units[$0] }.sorted()
    let pivot = sample[min(sample.count - 1, Int(Double(sample.count) * share))]
    return units.partition { pivot < $0 }
  }
}
