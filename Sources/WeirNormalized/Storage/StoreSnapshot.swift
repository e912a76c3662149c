import Weir

/// Everything that a store holds, as bytes: to be written to a file, sent along with a page, or
/// put into a test.
public struct StoreSnapshot: Hashable, Sendable {
  /// The bytes. Their form is that of this version of the library, and says so.
  public let bytes: [UInt8]

  /// A snapshot of bytes that were kept; whether they are one is found out when they are restored.
  public init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// What the bytes begin with; a checksum of the rest follows.
  static let magic: [UInt8] = Array("Weir\u{3}".utf8)
  static let headerLength = magic.count + 8

  init(content: [UInt8]) {
    bytes = Self.header(of: content[...]) + content
  }

  /// Whether the bytes are what was extracted.
  var isIntact: Bool { bytes.starts(with: Self.header(of: bytes.dropFirst(Self.headerLength))) }

  /// The checksum is FNV-1a: it tells damage, not malice.
  private static func header(of content: ArraySlice<UInt8>) -> [UInt8] {
    let checksum = content.reduce(0xCBF2_9CE4_8422_2325) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    return magic + (0..<8).map { UInt8(truncatingIfNeeded: checksum >> ($0 * 8)) }
  }
}

extension NormalizedStore {
  /// All entities and the query's root as far as they are in memory, without optimistic results. Costs
  /// what the store is large; writers are not held up.
  public func extract() -> StoreSnapshot {
    let (records, lists) = state.withLock { ($0.records, $0.listFields) }
    var learned = catalog.learned
    learned.lists = lists.learned(catalog)
    var names = RecordNames()
    _ = encode(records, &names)
    var list: [String] = []
    names.number { unnumbered in
      list = unnumbered
      return unnumbered.indices.map { UInt32($0) }
    }
    let (body, count) = encode(records, &names)
    var encoder = RecordEncoder(records, catalog, epoch: epoch, names: names)
    encoder.append(UInt64(list.count))
    for name in list { encoder.append(text: name) }
    let value = learned.value
    encoder.append(UInt64(value.count))
    let head = encoder.take()
    encoder.append(UInt64(count))
    return StoreSnapshot(content: head + value + encoder.take() + body)
  }

  private func encode(
    _ records: RecordState, _ names: inout RecordNames
  ) -> (bytes: [UInt8], count: Int) {
    var encoder = RecordEncoder(records, catalog, epoch: epoch, names: names)
    var count = 0
    for table in records.tables.indices where table != 1 && table != 2 {
      for row in 0..<records.tables[table].rowCount {
        let record = RecordReference(table: table, row: row)
        guard let entity = records.entity(record, catalog),
          records.header(record).type != .removed
        else { continue }
        count += 1
        encoder.append(UInt64(encoder.names.number(entity.typename)))
        encoder.append(text: entity.id)
        encoder.append(
          UInt64(encoder.names.number(catalog.typename(records.header(record).type))))
        encoder.append(record)
      }
    }
    names = encoder.names
    return (encoder.take(), count)
  }

  /// Adds what a snapshot holds; where the store has something already, the snapshot's counts.
  ///
  /// - Throws: ``StoreError`` with the code `snapshot` if the bytes are none, or damaged; nothing
  ///   was changed then.
  public func restore(_ snapshot: StoreSnapshot) throws {
    let epoch = epoch
    try update { transaction in
      do {
        try transaction.restore(snapshot, epoch: epoch)
      } catch {
        throw StoreError(
          .snapshot, "The snapshot cannot be restored: its bytes are not a snapshot, or damaged.")
      }
    }
  }
}

extension StoreTransaction {
  fileprivate mutating func restore(
    _ snapshot: StoreSnapshot, epoch: Int64
  ) throws(RecordDecoder.Damage) {
    guard snapshot.isIntact else { throw RecordDecoder.Damage() }
    var decoder = RecordDecoder(
      catalog: catalog, epoch: epoch, version: version, names: RecordNames())
    decoder.begin(snapshot.bytes, at: StoreSnapshot.headerLength)
    for number in 0..<(try decoder.integer()) {
      guard let number = UInt32(exactly: number) else { throw RecordDecoder.Damage() }
      decoder.names.add(try decoder.text(), number)
    }
    guard let learned = LearnedNames(Array(decoder.bytes[try decoder.range()])) else {
      throw RecordDecoder.Damage()
    }
    for _ in 0..<(try decoder.integer()) { try restore(&decoder) }
    guard decoder.isAtEnd else { throw RecordDecoder.Damage() }
    catalog.learn(learned)
    outcome.listFields.learn(learned.lists, catalog)
  }

  private mutating func restore(_ decoder: inout RecordDecoder) throws(RecordDecoder.Damage) {
    let space = try decoder.nameOfNumber()
    var id = try decoder.text()
    let typename = try decoder.nameOfNumber()
    var record = RootType.query.reference
    var type = RootType.query.type
    if space != RootType.query.key {
      guard let known = catalog.objectType(named: typename),
        catalog.tableOrNew(named: space) == catalog.table(of: known), !id.isEmpty
      else { throw RecordDecoder.Damage() }
      type = known
      record = id.withUTF8 {
        records.findOrMake(table: catalog.table(of: known), key: $0, version: version)
      }
    }
    let isNew = records.header(record).type == .removed
    var change = try decoder.read(into: record, &records, replaces: true)
    records[record].setHeader(RowHeader(version: version, type: type), of: record.rowInChunk)
    change.isNew = isNew
    outcome.changes.changes.append(change)
  }
}
