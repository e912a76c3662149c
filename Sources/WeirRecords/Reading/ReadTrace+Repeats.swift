import Weir

extension RepeatedObjects {
  /// The objects that a result shows several times: records of which the same fields are read. Nil if
  /// there are none.
  init?(in entries: ContiguousArray<ReadTrace.Entry>, of shapeCount: Int) {
    let isRepeated = Self.shapesWithRepeats(entries, shapeCount)
    guard isRepeated.contains(true) else { return nil }
    var firsts = FirstEntries()
    // By entry, the number of its object, plus one, if it is shown several times.
    var numbers = ContiguousArray<UInt32>(repeating: 0, count: entries.count)
    var count: UInt32 = 0
    var places = 0
    for index in entries.indices where isRepeated[Int(entries[index].shape)] {
      let first = firsts.entry(showingTheSameAs: index, in: entries)
      guard first < index else { continue }
      if numbers[first] == 0 {
        count += 1
        places += 1
        numbers[first] = count
      }
      places += 1
      numbers[index] = numbers[first]
    }
    guard count > 0 else { return nil }
    var repeated: ContiguousArray<Place> = []
    repeated.reserveCapacity(places)
    for index in numbers.indices where numbers[index] > 0 {
      repeated.append(Place(cell: entries[index].cell, number: numbers[index] - 1))
    }
    self.init(repeated)
  }

  /// For each shape, whether a record of it may be shown twice. Those of a list come mostly in the
  /// order in which they stand in the store, and as long as they do, none comes again.
  private static func shapesWithRepeats(
    _ entries: ContiguousArray<ReadTrace.Entry>, _ shapeCount: Int
  ) -> ContiguousArray<Bool> {
    var lasts = ContiguousArray(repeating: -1, count: shapeCount)
    var isRepeated = ContiguousArray(repeating: false, count: shapeCount)
    for entry in entries {
      let shape = Int(entry.shape)
      let order = Int(truncatingIfNeeded: entry.record.bits)
      if order <= lasts[shape] { isRepeated[shape] = true }
      lasts[shape] = order
    }
    return isRepeated
  }
}

/// By record and shape, the entry of a trace that shows it first.
struct FirstEntries {
  /// The entries' indices, plus one: open addressing, at most half full.
  private var places: ContiguousArray<UInt32> = []
  private var count = 0

  /// The entry that shows the same as one does: that one, if it is the first that is asked for.
  mutating func entry(
    showingTheSameAs index: Int, in entries: ContiguousArray<ReadTrace.Entry>
  ) -> Int {
    if places.isEmpty { places = ContiguousArray(repeating: 0, count: 256) }
    let entry = entries[index]
    var place = place(of: entry)
    while places[place] > 0 {
      let first = Int(places[place]) - 1
      if entries[first].record == entry.record, entries[first].shape == entry.shape { return first }
      place = (place + 1) & (places.count - 1)
    }
    places[place] = UInt32(truncatingIfNeeded: index + 1)
    count += 1
    if count * 2 > places.count { grow(entries) }
    return index
  }

  @inline(never)
  private mutating func grow(_ entries: ContiguousArray<ReadTrace.Entry>) {
    let old = places
    places = ContiguousArray(repeating: 0, count: old.count * 4)
    for index in old where index > 0 {
      var place = place(of: entries[Int(index) - 1])
      while places[place] > 0 { place = (place + 1) & (places.count - 1) }
      places[place] = index
    }
  }
  private func place(of entry: ReadTrace.Entry) -> Int {
    let hash = (entry.record.bits ^ UInt64(entry.shape) << 48) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: hash >> 32) & (places.count - 1)
  }
}
