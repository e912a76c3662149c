/// When the fields of a chunk's rows become stale, in milliseconds of the store's clock.
///
/// Most data never becomes stale, so this is empty unless a time to live is configured, a response
/// contains one, or data was invalidated.
package struct RowAges {
  /// By row; none without a field.
  private var fields: [ChunkRow: [FieldID: Int64]] = [:]

  package static let never = Int64.max
  package var isEmpty: Bool { fields.isEmpty }

  /// When a field becomes stale.
  package func expiry(_ row: ChunkRow, _ field: FieldID) -> Int64 {
    fields[row]?[field] ?? Self.never
  }

  /// Notes when a field that was written becomes stale. Returns whether that is earlier than before.
  @discardableResult
  package mutating func set(_ expiry: Int64, _ row: ChunkRow, _ field: FieldID) -> Bool {
    let old =
      expiry == Self.never
      ? forget(row, field) : fields[row, default: [:]].updateValue(expiry, forKey: field)
    return expiry < old ?? Self.never
  }

  /// Makes a field become stale at a time, unless it does so earlier. Returns whether that has changed
  /// anything.
  mutating func limit(to expiry: Int64, _ row: ChunkRow, _ field: FieldID) -> Bool {
    expiry < self.expiry(row, field) && set(expiry, row, field)
  }

  /// Makes the fields of a row stale that `stale` has with the number 0. Rows with the same fields share its
  /// memory until one of them is written.
  package mutating func invalidate(_ row: ChunkRow, _ stale: [FieldID: Int64]) {
    guard !stale.isEmpty else { return }
    let others = fields[row]?.filter { stale[$0.key] == nil } ?? [:]
    fields[row] = others.isEmpty ? stale : others.merging(stale) { $1 }
  }

  package mutating func forget(_ row: ChunkRow) { fields[row] = nil }

  /// Forgets a field that is gone, or never becomes stale. Returns when it would have.
  @discardableResult
  mutating func forget(_ row: ChunkRow, _ field: FieldID) -> Int64? {
    guard let old = fields[row]?.removeValue(forKey: field) else { return nil }
    if fields[row]?.isEmpty == true { fields[row] = nil }
    return old
  }

  /// Fields that were invalidated together share their memory with those of other rows.
  var footprint: Int {
    fields.isEmpty
      ? 0
      : fields.values.reduce(0) { bytes, ages in
        bytes + (ages.values.allSatisfy { $0 == 0 } ? 24 : 64 + ages.capacity * 20)
      }
  }
}

extension RowAges {
  /// When data becomes stale that may be used for a number of milliseconds; nil for a negative
  /// number.
  package static func expiry(_ timeToLive: Int64, now: Int64) -> Int64? {
    guard timeToLive >= 0 else { return nil }
    let (expiry, isTooFar) = now.addingReportingOverflow(timeToLive)
    // 0 means invalidated.
    return isTooFar ? never : max(1, expiry)
  }
}
