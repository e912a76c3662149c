import Weir

/// The records of one key space: nearly always those of one type.
struct RecordTable {
  /// Rows by key: open addressing, a row's number plus one in each used place.
  private var places: ContiguousArray<UInt32> = []
  private var mask = 0
  private(set) var keyedCount = 0
  var chunks: ContiguousArray<RowChunk> = []
  private var freeRows: ContiguousArray<UInt32> = []
  private(set) var rowCount = 0

  /// How many rows are in use.
  var liveCount: Int { rowCount - freeRows.count }
}

// MARK: - Rows

extension RecordTable {
  @inline(__always)
  subscript(row: Int) -> RowChunk {
    _read { yield chunks[row >> RowChunk.rowBits] }
    _modify { yield &chunks[row >> RowChunk.rowBits] }
  }

  /// A row without key or fields.
  mutating func makeRow(_ header: RowHeader) -> Int {
    if let row = freeRows.popLast().map(Int.init) {
      self[row].setHeader(header, of: row & RowChunk.rowMask)
      return row
    }
    let row = rowCount
    rowCount += 1
    if row & RowChunk.rowMask == 0 { chunks.append(RowChunk()) }
    _ = self[row].appendRow(header)
    return row
  }

  /// Chunks without any row in use keep no cells.
  mutating func vacateEmptyChunks() {
    for index in chunks.indices where chunks[index].isVacant { chunks[index].vacate() }
  }

  /// Gives back a row whose fields have been removed.
  mutating func freeRow(_ row: Int) {
    let inChunk = row & RowChunk.rowMask
    self[row].release(self[row].key(inChunk))
    self[row].setKey(.absent, of: inChunk)
    self[row].setHeader(RowHeader(bits: 0), of: inChunk)
    self[row].ages.forget(inChunk)
    freeRows.append(UInt32(row))
  }
}

// MARK: - Keys

extension RecordTable {
  /// The row of a key, if there is one.
  @inline(__always)
  func row(of key: UnsafeBufferPointer<UInt8>, seed: UInt64) -> Int? {
    guard mask > 0 else { return nil }
    let probe = KeyProbe(key, seed: seed)
    var place = probe.hash & mask
    while true {
      let entry = places[place]
      if entry == 0 { return nil }
      let row = Int(entry) - 1
      if matches(probe, row: row) { return row }
      place = (place + 1) & mask
    }
  }

  /// The row of a key; a new one with `header` if there is none.
  @inline(__always)
  mutating func findOrMakeRow(
    of key: UnsafeBufferPointer<UInt8>, seed: UInt64, header: RowHeader
  ) -> (row: Int, isNew: Bool) {
    if (keyedCount + 1) * 4 > places.count * 3 { growIndex(seed: seed) }
    let probe = KeyProbe(key, seed: seed)
    var place = probe.hash & mask
    while places[place] != 0 {
      let row = Int(places[place]) - 1
      if matches(probe, row: row) { return (row, false) }
      place = (place + 1) & mask
    }
    let row = makeRow(header)
    let cell = self[row].store(.string, isMarked: false, key)
    self[row].setKey(cell, of: row & RowChunk.rowMask)
    places[place] = UInt32(truncatingIfNeeded: row + 1)
    keyedCount += 1
    return (row, true)
  }

  @inline(__always)
  private func matches(_ probe: KeyProbe, row: Int) -> Bool {
    let key = self[row].key(row & RowChunk.rowMask)
    if key == probe.cell { return true }
    guard key.isOutOfLine, key.length == probe.text.count else { return false }
    return self[row].holds(key, .string, isMarked: false, probe.text)
  }

  private mutating func growIndex(seed: UInt64) {
    rebuildIndex(places: max(8, places.count * 2), seed: seed)
  }

  /// Enters every keyed row anew: after growth, and after rows were given back.
  mutating func rebuildIndex(places count: Int? = nil, seed: UInt64) {
    let size = count ?? places.count
    places = ContiguousArray(repeating: 0, count: size)
    mask = size - 1
    keyedCount = 0
    for row in 0..<rowCount {
      let inChunk = row & RowChunk.rowMask
      let chunk = self[row]
      guard !chunk.header(inChunk).isFree, chunk.key(inChunk).kind == .string else { continue }
      let hash = chunk.withText(chunk.key(inChunk)) { KeyProbe($0, seed: seed).hash }
      var place = hash & mask
      while places[place] != 0 { place = (place + 1) & mask }
      places[place] = UInt32(truncatingIfNeeded: row + 1)
      keyedCount += 1
    }
  }

  var footprint: Int {
    chunks.reduce(places.capacity * 4 + freeRows.capacity * 4) {
      $0 + $1.footprint + MemoryLayout<RowChunk>.stride
    }
  }
}

/// A key that is looked for: its cell, if it fits one, and its hash.
private struct KeyProbe {
  let text: UnsafeBufferPointer<UInt8>
  let cell: Cell
  let hash: Int

  /// The seed differs from store to store, so that nobody can choose ids that collide.
  @inline(__always)
  init(_ text: UnsafeBufferPointer<UInt8>, seed: UInt64) {
    self.text = text
    var hash = seed
    if text.count <= Cell.maximumInlineLength {
      cell = Cell(.string, isMarked: false, inline: text)
      hash = Self.mix(hash ^ cell.low, 0x9e37_79b9_7f4a_7c15)
      hash = Self.mix(hash ^ cell.high, 0xd6e8_feb8_6659_fd93)
    } else {
      cell = Cell(.absent, low: 1)
      var at = 0
      while at < text.count {
        let part = UnsafeBufferPointer(rebasing: text[at..<min(at + 8, text.count)])
        hash = Self.mix(hash ^ Cell.packed(part).0, 0x9e37_79b9_7f4a_7c15)
        at += 8
      }
      hash = Self.mix(hash ^ UInt64(text.count), 0xd6e8_feb8_6659_fd93)
    }
    self.hash = Int(truncatingIfNeeded: hash >> 1)
  }

  @inline(__always)
  private static func mix(_ word: UInt64, _ factor: UInt64) -> UInt64 {
    let product = word.multipliedFullWidth(by: factor)
    return product.high ^ product.low
  }
}
