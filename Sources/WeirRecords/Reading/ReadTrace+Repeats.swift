import Weir

extension ReadTrace {
  /// The objects that the result shows several times: records of which the same fields are read.
  var repeatedObjects: RepeatedObjects? {
    let isRepeated = shapesWithRepeats
    guard isRepeated.contains(true) else { return nil }
    var firsts: [ShownRecord: Int] = [:]
    // By entry, the number of its object, plus one, if it is shown several times.
    var numbers = ContiguousArray<UInt32>(repeating: 0, count: entries.count)
    var count: UInt32 = 0
    var places = 0
    for index in entries.indices where isRepeated[Int(entries[index].shape)] {
      let shown = ShownRecord(record: entries[index].record, shape: entries[index].shape)
      guard let first = firsts[shown] else {
        firsts[shown] = index
        continue
      }
      if numbers[first] == 0 {
        count += 1
        places += 1
        numbers[first] = count
      }
      places += 1
      numbers[index] = numbers[first]
    }
    guard count > 0 else { return nil }
    var repeated: ContiguousArray<RepeatedObjects.Place> = []
    repeated.reserveCapacity(places)
    for index in numbers.indices where numbers[index] > 0 {
      repeated.append(
        RepeatedObjects.Place(cell: entries[index].cell, number: numbers[index] - 1))
    }
    return RepeatedObjects(repeated)
  }

  /// For each shape, whether a record of it may be shown twice. Those of a list come mostly in the
  /// order in which they stand in the store, and as long as they do, none comes again.
  private var shapesWithRepeats: ContiguousArray<Bool> {
    var lasts = ContiguousArray(repeating: -1, count: shapes.count)
    var isRepeated = ContiguousArray(repeating: false, count: shapes.count)
    for entry in entries {
      let shape = Int(entry.shape)
      let order = Int(truncatingIfNeeded: entry.record.bits)
      if order <= lasts[shape] { isRepeated[shape] = true }
      lasts[shape] = order
    }
    return isRepeated
  }
}

private struct ShownRecord: Hashable {
  let record: RecordReference
  let shape: UInt32
}
