import Foundation
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

  static let magic: [UInt8] = Array("Weir\u{1}".utf8)
}

extension NormalizedStore {
  /// Milliseconds since 1970 at the store's zero.
  var epoch: Int64 { Int64(Date().timeIntervalSince1970 * 1000) - milliseconds }

  /// All entities and the query's root, without optimistic results. Costs what the store is large;
  /// writers are not held up.
  public func extract() -> StoreSnapshot {
    let records = state.withLock { $0.records }
    let names = NameNumbers()
    var encoder = RecordEncoder(
      records: records, catalog: catalog, epoch: epoch, number: names.number)
    var count = 0
    for table in 0..<records.tables.count where table != 1 && table != 2 {
      for row in 0..<records.tables[table].rowCount {
        let record = RecordReference(table: table, row: row)
        guard let entity = records.entity(record, catalog),
          records.header(record).type != .removed
        else { continue }
        count += 1
        encoder.append(UInt64(names.number(entity.typename)))
        encoder.append(text: Array(entity.id.utf8))
        encoder.append(UInt64(names.number(catalog.typename(records.header(record).type))))
        encoder.append(record)
      }
    }
    let body = encoder.take()
    encoder.append(UInt64(names.list.count))
    for name in names.list { encoder.append(text: Array(name.utf8)) }
    encoder.append(UInt64(count))
    return StoreSnapshot(bytes: StoreSnapshot.magic + encoder.take() + body)
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
        throw StoreError(.snapshot, "The bytes are no snapshot, or damaged.")
      }
    }
  }
}

extension StoreTransaction {
  fileprivate mutating func restore(
    _ snapshot: StoreSnapshot, epoch: Int64
  ) throws(RecordDecoder.Damage) {
    guard snapshot.bytes.starts(with: StoreSnapshot.magic) else { throw RecordDecoder.Damage() }
    let names = NameNumbers()
    var decoder = RecordDecoder(
      Array(snapshot.bytes.dropFirst(StoreSnapshot.magic.count)), catalog: catalog,
      epoch: epoch, version: version, name: names.name)
    for _ in 0..<(try decoder.integer()) {
      _ = names.number(String(decoding: try decoder.text(), as: UTF8.self))
    }
    for _ in 0..<(try decoder.integer()) {
      let space = try decoder.nameOfNumber()
      let id = try decoder.text()
      let typename = try decoder.nameOfNumber()
      let record: RecordReference
      let type: TypeID
      if space == RootType.query.key {
        record = RootType.query.reference
        type = RootType.query.type
      } else {
        guard let known = catalog.type(named: typename),
          let row = id.withUnsafeBufferPointer({
            records.findOrMake(space: space, key: $0, version: version, catalog: catalog)
          }), row.table == catalog.table(of: known)
        else { throw RecordDecoder.Damage() }
        record = row
        type = known
      }
      try decoder.read(into: record, &records, replaces: true)
      records[record].setHeader(RowHeader(version: version, type: type), of: record.rowInChunk)
      var change = ChangeSet.Change(record: record, slots: .max, fields: [], isNew: true)
      change.fields = records.places(of: record, catalog).map(\.field)
      changes.changes.append(change)
    }
    guard decoder.isAtEnd else { throw RecordDecoder.Damage() }
  }
}

/// Numbers for names, in the order in which they come.
private final class NameNumbers {
  private(set) var list: [String] = []
  private var numbers: [ExactString: UInt32] = [:]

  func number(_ name: String) -> UInt32 {
    if let known = numbers[ExactString(name)] { return known }
    numbers[ExactString(name)] = UInt32(list.count)
    list.append(name)
    return UInt32(list.count - 1)
  }

  func name(_ number: UInt32) -> String? {
    number < list.count ? list[Int(number)] : nil
  }
}
