import Weir

/// The records of one key space, nearly always of one type.
@usableFromInline
package struct RecordTable: Sendable {
  /// Rows by key, with open addressing. A used entry has the row number plus one, and in its upper
  /// half 32 bits of the key's hash, so that rows with other keys need no comparison.
  private var places: ContiguousArray<UInt64> = []
  private var mask = 0
  private(set) var keyedCount = 0
  @usableFromInline package var chunks = ChunkList()
  private var freeRows: ContiguousArray<RowID> = []
  @usableFromInline package private(set) var rowCount = 0
  /// The row after the one that was last found or made. Lists tend to be written in the same order
  /// again.
  private var nextRow = RowID(rawValue: 0)

  /// All rows, including free ones.
  var rows: some Sequence<RowID> { (0..<rowCount).lazy.map(RowID.init(index:)) }

  /// Whether any row has a key.
  var hasKeys: Bool { keyedCount > 0 }

  /// The number of rows in use.
  var liveCount: Int { rowCount - freeRows.count }
}

// MARK: - Rows

extension RecordTable {
  @inline(__always)
  @usableFromInline package subscript(row: RowID) -> RowChunk {
    @inlinable _read { yield chunks[row.chunk] }
    @inlinable _modify { yield &chunks[row.chunk] }
  }

  /// Makes a row without fields.
  @inline(__always)
  mutating func makeRow(_ header: RowHeader, key: RecordKey? = nil) -> RowID {
    if !freeRows.isEmpty { return reuseRow(header, key: key) }
    let row = RowID(index: rowCount)
    rowCount += 1
    if row.inChunk.rawValue == 0 { chunks.append(RowChunk(after: chunks.last)) }
    self[row].appendRow(header, key: key)
    return row
  }

  private mutating func reuseRow(_ header: RowHeader, key: RecordKey?) -> RowID {
    let row = freeRows.removeLast()
    self[row].setHeader(header, of: row.inChunk)
    if let key { self[row].setKey(key, of: row.inChunk) }
    return row
  }

  /// Releases the cells of chunks that have no row in use.
  package mutating func vacateEmptyChunks() {
    for index in chunks.indices where chunks[index].isVacant { chunks[index].vacate() }
  }

  /// Frees a row whose fields have been removed.
  mutating func freeRow(_ row: RowID) {
    let inChunk = row.inChunk
    self[row].release(self[row].key(inChunk))
    self[row].setKey(.absent, of: inChunk)
    self[row].setHeader(RowHeader(bits: 0), of: inChunk)
    self[row].ages.forget(inChunk)
    freeRows.append(row)
  }
}

// MARK: - Keys

extension RecordTable {
  /// The row of a key; nil if there is none.
  @inline(__always)
  func row(of key: UnsafeBufferPointer<UInt8>, seed: UInt64) -> RowID? {
    guard mask > 0 else { return nil }
    let key = RecordKey(key)
    let hash = key.hash(seed: seed)
    var place = Self.firstPlace(hash, mask)
    while true {
      let entry = places[place]
      if entry == 0 { return nil }
      if isMatch(entry, key, hash) { return Self.row(entry) }
      place = (place + 1) & mask
    }
  }

  /// Returns the row of a key, and makes one with `header` if there is none.
  mutating func findOrMakeRow(
    of key: UnsafeBufferPointer<UInt8>, seed: UInt64, header: RowHeader
  ) -> (row: RowID, isNew: Bool) {
    findOrMakeRow(of: RecordKey(key), seed: seed, header: header)
  }

  /// Returns the row of a key, and makes one with `header` if there is none. Tries the row after
  /// that of the previous call before it searches.
  @inline(__always)
  mutating func findOrMakeRow(
    of key: RecordKey, seed: UInt64, header: RowHeader
  ) -> (row: RowID, isNew: Bool) {
    let found =
      nextRow.index < rowCount && isRow(nextRow, of: key)
      ? (nextRow, false) : lookUpOrMakeRow(of: key, seed: seed, header: header)
    nextRow = RowID(rawValue: found.0.rawValue + 1)
    return found
  }

  @inline(never)
  private mutating func lookUpOrMakeRow(
    of key: RecordKey, seed: UInt64, header: RowHeader
  ) -> (row: RowID, isNew: Bool) {
    if (keyedCount + 1) * 4 > places.count * 3 { growIndex(to: max(8, places.count * 2)) }
    let hash = key.hash(seed: seed)
    var place = Self.firstPlace(hash, mask)
    while places[place] != 0 {
      if isMatch(places[place], key, hash) { return (Self.row(places[place]), false) }
      place = (place + 1) & mask
    }
    let row = makeRow(header, key: key)
    places[place] = Self.entry(row, hash)
    keyedCount += 1
    return (row, true)
  }

  /// Where the search for a hash begins. On watches `Int` has 32 bits, and holds only half of the
  /// hashes.
  @inline(__always)
  private static func firstPlace(_ hash: UInt32, _ mask: Int) -> Int {
    Int(truncatingIfNeeded: hash) & mask
  }

  @inline(__always)
  private static func entry(_ row: RowID, _ hash: UInt32) -> UInt64 {
    UInt64(hash) << 32 | UInt64(row.rawValue + 1)
  }

  @inline(__always)
  private static func row(_ entry: UInt64) -> RowID {
    RowID(rawValue: UInt32(truncatingIfNeeded: entry) &- 1)
  }

  @inline(__always)
  private func isMatch(_ entry: UInt64, _ key: RecordKey, _ hash: UInt32) -> Bool {
    UInt32(truncatingIfNeeded: entry >> 32) == hash && isRow(Self.row(entry), of: key)
  }

  /// Whether a row has a key.
  @inline(__always)
  func isRow(_ row: RowID, of key: RecordKey) -> Bool {
    chunks[row.chunk].hasKey(key, row.inChunk)
  }

  private mutating func growIndex(to count: Int) {
    let old = places
    clearIndex(places: count)
    for entry in old where entry != 0 { enter(entry) }
  }

  /// Enters every row with a key again, after rows were freed.
  package mutating func rebuildIndex(seed: UInt64) {
    clearIndex(places: places.count)
    for row in rows {
      let inChunk = row.inChunk
      let hash = withChunk(of: row) { chunk -> UInt32? in
        guard !chunk.header(inChunk).isFree, chunk.key(inChunk).kind == .string else { return nil }
        return chunk.withText(chunk.key(inChunk)) { RecordKey($0).hash(seed: seed) }
      }
      if let hash { enter(Self.entry(row, hash)) }
    }
  }

  @inline(__always)
  private func withChunk<Result>(of row: RowID, _ body: (borrowing RowChunk) -> Result) -> Result {
    body(chunks[row.chunk])
  }

  private mutating func clearIndex(places count: Int) {
    places = ContiguousArray(repeating: 0, count: count)
    mask = count - 1
    keyedCount = 0
  }

  private mutating func enter(_ entry: UInt64) {
    var place = Self.firstPlace(UInt32(truncatingIfNeeded: entry >> 32), mask)
    while places[place] != 0 { place = (place + 1) & mask }
    places[place] = entry
    keyedCount += 1
  }
}

/// A key to search for, and its cell if it fits in one.
package struct RecordKey {
  // Proof of validity: a key lives no longer than the call that it is passed to, during which the
  // caller keeps the text alive. The table copies the text.
  let text: UnsafeBufferPointer<UInt8>
  let cell: Cell

  @inline(__always)
  init(_ text: UnsafeBufferPointer<UInt8>) {
    self.text = text
    cell =
      text.count <= Cell.maximumInlineLength
      ? Cell(.string, isIrregular: false, inline: text) : Cell(.absent, low: 1)
  }

  /// The key that a JSON string or number stands for.
  @inline(__always)
  init(_ value: JSONCell, _ tape: JSONTape) {
    text = tape.text(value)
    cell =
      value.length <= Cell.maximumInlineLength
      ? Cell(.string, packed: PackedText.words(of: value, tape), length: value.length)
      : Cell(.absent, low: 1)
  }

  @inline(__always)
  var isInline: Bool { !cell.isAbsent }

  /// The hash of the key. The seed differs between stores, so that nobody can choose ids that
  /// collide.
  @inline(__always)
  func hash(seed: UInt64) -> UInt32 {
    var hash = seed
    if isInline {
      hash = Self.mix(hash ^ cell.low, 0x9e37_79b9_7f4a_7c15)
      hash = Self.mix(hash ^ cell.high, 0xd6e8_feb8_6659_fd93)
    } else {
      var at = 0
      while at < text.count {
        let part = UnsafeBufferPointer(rebasing: text[at..<min(at + 8, text.count)])
        hash = Self.mix(hash ^ PackedText.words(of: part).0, 0x9e37_79b9_7f4a_7c15)
        at += 8
      }
      hash = Self.mix(hash ^ UInt64(text.count), 0xd6e8_feb8_6659_fd93)
    }
    return UInt32(truncatingIfNeeded: hash)
  }

  @inline(__always)
  private static func mix(_ word: UInt64, _ factor: UInt64) -> UInt64 {
    let product = word.multipliedFullWidth(by: factor)
    return product.high ^ product.low
  }
}
