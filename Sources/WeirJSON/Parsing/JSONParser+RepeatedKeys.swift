import WeirSupport

extension JSONParser {
  /// If several members have the same key, replaces the first by the last, as `JSON.parse` does
  /// (ECMA-262, section 25.5.1): notes which values to keep, and in which order.
  ///
  /// Runs once for each key list, not for each object. Costs one hash for each key. The cells stay
  /// where they are until the text has ended: moving them here would move those of a value that is
  /// nested in n such objects n times.
  ///
  /// Proof: the last `count` pending keys belong to the object. `winners` uses the buffer before
  /// `pending` changes.
  mutating func dropRepeatedKeys(_ frame: inout Frame) {
    let start = Int(frame.pendingStart)
    let all = UnsafeBufferPointer(start: pending.base + start, count: Int(frame.count))
    guard let winners = winners(all) else { return }
    let keys = Array(all)
    keptValues[Int(frame.cell)] = winners.map(\.value)
    pending.count = start
    for (key, value) in winners {
      pending.append(PendingKey(cell: keys[key].cell, childList: keys[value].childList))
    }
    frame.count = UInt32(truncatingIfNeeded: winners.count)
  }

  /// Copies the cells without those of replaced values, once for the whole text.
  ///
  /// Proof: every container on the tape has ended, so its extent counts its cells.
  @inline(never)
  mutating func removeReplacedValues() {
    var kept = Scratch<UInt64>(capacity: cells.count)
    // The remaining steps, the next one last: the index of a value to copy, or the complement of
    // the new index of a container whose values have been copied.
    var remaining = [0]
    while let index = remaining.popLast() {
      guard index >= 0 else {
        let detail = JSONExtent(bits: kept[~index + 1]).detail
        kept[~index + 1] = JSONExtent(cells: kept.count - ~index, detail: detail).bits
        continue
      }
      movedValues += 1
      kept.append(cells[index])
      guard JSONCell(bits: cells[index]).isContainer else { continue }
      remaining.append(~(kept.count - 1))
      kept.append(cells[index + 1])
      let values = values(ofContainer: index)
      remaining += (keptValues[index].map { $0.map { values[$0] } } ?? values).reversed()
    }
    cells.release()
    cells = kept
  }

  /// The indices of the values in a container, with replaced ones.
  private func values(ofContainer container: Int) -> [Int] {
    let tape = tape
    let container = TapeIndex(index: container)
    let end = tape.next(container)
    var values: [Int] = []
    var index = tape.firstChild(container)
    while index < end {
      values.append(index.index)
      index = tape.next(index)
    }
    return values
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
