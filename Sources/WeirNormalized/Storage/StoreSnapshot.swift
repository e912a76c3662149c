public import Weir

/// A copy of a store's contents as bytes, to be written to a file, sent with a page, or used in a test.
///
/// It contains a user's data. One that was extracted, or created, before the session was switched is not
/// restored afterwards.
public struct StoreSnapshot: Hashable, Sendable {
  /// The bytes. Their format belongs to this version of the library, and names it.
  public let bytes: [UInt8]

  let origin: SnapshotOrigin

  /// Creates a snapshot of saved bytes. They are validated when the snapshot is restored.
  public init(bytes: [UInt8]) {
    self.bytes = bytes
    origin = SnapshotOrigin()
  }

  /// The first bytes; a checksum of the rest follows.
  static let magic: [UInt8] = Array("Weir\u{3}".utf8)
  static let headerLength = magic.count + 8

  init(content: [UInt8], origin: SnapshotOrigin) {
    bytes = Self.header(of: content[...]) + content
    self.origin = origin
  }

  /// Whether the bytes are those that were extracted.
  var isIntact: Bool { bytes.starts(with: Self.header(of: bytes.dropFirst(Self.headerLength))) }

  /// The checksum is FNV-1a: it detects damage, not manipulation.
  private static func header(of content: ArraySlice<UInt8>) -> [UInt8] {
    let checksum = content.reduce(0xCBF2_9CE4_8422_2325) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    return magic + (0..<8).map { UInt8(truncatingIfNeeded: checksum >> ($0 * 8)) }
  }
}

extension StoreSnapshot: CustomStringConvertible, CustomReflectable {
  /// The number of bytes; not the bytes, which contain a user's data.
  public var description: String { "\(bytes.count) bytes" }

  /// The number of bytes.
  public var customMirror: Mirror {
    Mirror(self, children: ["count": bytes.count], displayStyle: .struct)
  }
}

extension NormalizedStore {
  /// Copies all entities and the query's root, as far as they are in memory, without optimistic results;
  /// of the default partition, unless you call it on another one (``partition(of:)``).
  /// The cost is proportional to the store; writers do not wait.
  public func extract() -> StoreSnapshot {
    var origin = SnapshotOrigin()
    let (records, lists, session) = state.withLock { ($0.records, $0.listFields, $0.session) }
    origin.session = session
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
    var encoder = RecordEncoder(records, catalog, names: names)
    encoder.append(UInt64(list.count))
    for name in list { encoder.append(text: name) }
    let value = learned.value
    encoder.append(UInt64(value.count))
    let head = encoder.take()
    encoder.append(UInt64(count))
    return StoreSnapshot(content: head + value + encoder.take() + body, origin: origin)
  }

  private func encode(
    _ records: RecordState, _ names: inout RecordNames
  ) -> (bytes: [UInt8], count: Int) {
    var encoder = RecordEncoder(records, catalog, names: names)
    var count = 0
    for record in [RootType.query.reference] + records.entities() {
      let type = records.header(record).type
      guard type != .removed, let entity = records.entity(record, catalog) else { continue }
      count += 1
      encoder.append(UInt64(encoder.names.number(entity.typename)))
      encoder.append(text: entity.id)
      encoder.append(UInt64(encoder.names.number(catalog.typename(type))))
      encoder.append(record)
    }
    names = encoder.names
    return (encoder.take(), count)
  }

  /// Adds the contents of a snapshot. Fields of the snapshot replace those of the same records that the
  /// store has, even if these are newer.
  ///
  /// So call it before the first operation. (`DocumentCacheExchange.restore(_:in:)` does the opposite: results
  /// that the cache has already stay. It also throws nothing.)
  ///
  /// - Parameters:
  ///   - snapshot: what to add.
  ///   - session: the client's session to which it belongs, from before your app has begun to read the
  ///     bytes; nil stands for the one in which the snapshot was extracted or created.
  /// - Throws: ``StoreError`` with the code `snapshot` if the bytes are not a snapshot, or damaged; with
  ///   `endedSession` if the session was switched meanwhile. Then nothing is changed.
  public func restore(_ snapshot: StoreSnapshot, in session: Session? = nil) throws {
    let session = snapshot.origin.session(named: session)
    try update(in: session) { transaction in
      do {
        try transaction.restore(snapshot)
      } catch {
        throw StoreError(
          .snapshot, "The snapshot cannot be restored: its bytes are not a snapshot, or damaged.")
      }
    }
    guard session >= state.withLock({ $0.session }) else {
      throw StoreError(
        .endedSession,
        "The snapshot was not restored: the session was switched since it was made or read. Read the "
          + "new user's snapshot.")
    }
  }
}

extension StoreTransaction {
  fileprivate mutating func restore(_ snapshot: StoreSnapshot) throws(RecordDecoder.Damage) {
    guard snapshot.isIntact else { throw RecordDecoder.Damage() }
    var decoder = RecordDecoder(catalog: catalog, version: version, names: RecordNames())
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
    outcome.changes.changes += decoder.changes
    outcome.latestOrder = max(outcome.latestOrder, decoder.latestOrder)
    catalog.learn(learned)
    outcome.listFields.learn(learned.lists, catalog)
  }

  private mutating func restore(_ decoder: inout RecordDecoder) throws(RecordDecoder.Damage) {
    let space = try decoder.nameOfNumber()
    let id = try decoder.text()
    let typename = try decoder.nameOfNumber()
    var record = RootType.query.reference
    var type = RootType.query.type
    if space != RootType.query.key {
      guard let known = catalog.objectType(named: typename), !id.isEmpty else {
        throw RecordDecoder.Damage()
      }
      guard catalog.tableOrNew(named: space) == catalog.table(of: known) else {
        return try skip(known, &decoder)
      }
      type = known
      record = records.findOrMake(table: catalog.table(of: known), id: id, version: version)
    }
    let isNew = records.header(record).type == .removed
    var change = try decoder.read(into: record, &records, replaces: true)
    records.touch(record, version: version, type: type)
    change.isNew = isNew
    outcome.changes.changes.append(change)
  }

  /// Leaves out a record whose store had another group for its type: nothing leads to it here.
  private func skip(_ type: TypeID, _ decoder: inout RecordDecoder) throws(RecordDecoder.Damage) {
    var others = RecordState(seed: 0)
    let record = others.findOrMake(table: catalog.table(of: type), id: "", version: version)
    var skipped = decoder
    try skipped.read(into: record, &others, replaces: true)
    // Its notes on these records concern the others.
    skipped.changes = decoder.changes
    decoder = skipped
  }
}
