import WeirSupport

extension JSONParser {
  /// If several members have the same key, replaces the first by the last, as `JSON.parse` does
  /// (ECMA-262, section 25.5.1).
  ///
  /// Runs once for each key list, not for each object. Costs one hash for each key.
  ///
  /// Proof: the last `count` pending keys, and all cells after the first two of the object, belong
  /// to the object. `winners` uses the buffer before `pending` changes.
  mutating func dropRepeatedKeys(_ frame: inout Frame) {
    let start = Int(frame.pendingStart)
    let count = Int(frame.count)
    guard let winners = winners(UnsafeBufferPointer(start: pending.base + start, count: count))
    else { return }
    // The values in the order of the members, and the place of each.
    let first = Int(frame.cell) + 2
    let old = Array(UnsafeBufferPointer(start: cells.base + first, count: cells.count - first))
    var places: [Range<Int>] = []
    var index = 0
    for _ in 0..<count {
      let length =
        JSONCell(bits: old[index]).isContainer ? JSONExtent(bits: old[index + 1]).cells : 1
      places.append(index..<index + length)
      index += length
    }
    cells.count = first
    let keys = Array(UnsafeBufferPointer(start: pending.base + start, count: count))
    pending.count = start
    for (key, value) in winners {
      pending.append(PendingKey(cell: keys[key].cell, childList: keys[value].childList))
      // The buffer has room: it held all of them before.
      for cell in old[places[value]] { cells.append(cell) }
    }
    frame.count = UInt32(truncatingIfNeeded: winners.count)
  }

  /// Returns the first and the last position of each distinct key; nil if all keys differ.
  private func winners(
    _ keys: UnsafeBufferPointer<PendingKey>
  ) -> [(key: Int, value: Int)]? {
    if keys.count <= 8, !hasRepeatedKey(keys) { return nil }
    var positions: [ExactString: Int] = [:]
    var winners: [(key: Int, value: Int)] = []
    for (position, key) in keys.enumerated() {
      let name = ExactString(tape.string(JSONCell(bits: key.cell)))
      if let known = positions[name] {
        winners[known].value = position
      } else {
        positions[name] = winners.count
        winners.append((position, position))
      }
    }
    return winners.count == keys.count ? nil : winners
  }

  /// Compares every pair of keys; faster than hashing for few keys.
  private func hasRepeatedKey(_ keys: UnsafeBufferPointer<PendingKey>) -> Bool {
    let tape = tape
    for position in 0..<keys.count {
      let key = JSONCell(bits: keys[position].cell)
      for earlier in 0..<position {
        let other = JSONCell(bits: keys[earlier].cell)
        if tape.matches(key, other, in: tape) { return true }
      }
    }
    return false
  }

  /// The text and the cells as they are now.
  private var tape: JSONTape {
    JSONTape(text: text, cells: cells.base, keyLists: lists.words.base)
  }
}
