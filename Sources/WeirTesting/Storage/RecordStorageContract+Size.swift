import WeirNormalized

extension RecordStorageContract {
  static let size: Check = { storage in
    func expectSize(_ records: Int, _ bytes: Int, _ what: String) throws {
      let size = try storage.size()
      try expect([size.records, size.bytes], [records, bytes], "Records and bytes \(what)")
    }
    try expectSize(0, 0, "at first")
    try storage.commit(RecordBatch(records: [.sample("a", "12345"), .sample("é", "1")]))
    try expectSize(2, 9, "of two records")
    try storage.commit(RecordBatch(records: [.sample("a", "123"), .sample("b", "")]))
    try expectSize(3, 8, "after one was replaced and one added")
    try storage.commit(RecordBatch(records: [.sample("c", "1")], removedKeys: ["a", "c", "d"]))
    try expectSize(3, 6, "after one was removed and one added")
    try storage.commit(RecordBatch(records: [.sample("d", "1"), .sample("d", "12")]))
    try expectSize(4, 9, "after one was put twice")
  }

  /// Stores ten records of 10 bytes. Their order, least recently used first: 5 6 7 8 9 1 2 0 3 4.
  private static func fill(_ storage: Storage) throws {
    for number in 0..<10 {
      try storage.commit(RecordBatch(records: [.sample("\(number)", "123456789")]))
    }
    for key in ["1", "2"] {
      _ = try storage.load([key])
      try storage.commit(RecordBatch(records: [.sample("0", "123456789")]))
    }
    try storage.commit(RecordBatch(records: [.sample("3", "123456789")]))
    _ = try storage.load(["4"])
  }

  static let collection: Check = { storage in
    try fill(storage)
    let order = ["5", "6", "7", "8", "9", "1", "2", "0", "3", "4"]
    for count in 1...10 {
      let removed = try storage.collect(toBytes: 100 - 10 * count, keeping: [], atMost: 10)
      try expect(removed, [order[count - 1]], "Collected as number \(count)")
    }
    try expect(try storage.size().records, 0, "Records")
  }

  static let keeping: Check = { storage in
    try fill(storage)
    let kept: Set<String> = ["5", "6", "1"]
    let removed = try storage.collect(toBytes: 0, keeping: kept, atMost: 100)
    try expect(removed.sorted(), ["0", "2", "3", "4", "7", "8", "9"], "Collected")
    try expect(Set(try storage.keys(in: .all)), kept, "Kept")
    try expect(
      try storage.collect(toBytes: 0, keeping: kept, atMost: 100), [], "Collected once more")
    try expect(
      try storage.collect(toBytes: 0, keeping: ["1"], atMost: 100).sorted(), ["5", "6"],
      "Collected with fewer records to keep")
  }

  static let collectionBounds: Check = { storage in
    try fill(storage)
    try expect(
      try storage.collect(toBytes: 100, keeping: [], atMost: 5), [], "Collected under the bound")
    try expect(
      try storage.collect(toBytes: 0, keeping: [], atMost: 3), ["5", "6", "7"], "At most three")
    try expect(
      try storage.collect(toBytes: 45, keeping: [], atMost: 100), ["8", "9", "1"],
      "To 45 bytes")
    try expect(try storage.collect(toBytes: 0, keeping: [], atMost: 0), [], "At most none")
  }

  static let removeAll: Check = { storage in
    try fill(storage)
    _ = try storage.register(["secret"])
    try storage.removeAll()
    let size = try storage.size()
    try expect([size.records, size.bytes], [0, 0], "Records and bytes")
    try expect(try storage.keys(in: .all), [], "Keys")
    try expect(try storage.names(), [:], "Names")
    try storage.commit(RecordBatch(records: [.sample("a")]))
    try expect(try storage.load(["a", "1"]), [.sample("a"), nil], "Records after it")
  }

  static let numbersAreNotReused: Check = { storage in
    let before = try storage.register(["a", "b"])
    try storage.removeAll()
    let after = try storage.register(["c", "a"])
    try expect(Set(before).intersection(after), [], "Numbers assigned again")
  }

  static let closing: Check = { storage in
    try storage.commit(RecordBatch(records: [.sample("a")]))
    storage.close()
    storage.close()
    try expect(.closed, "load") { _ = try storage.load(["a"]) }
    try expect(.closed, "commit") { try storage.commit(RecordBatch(records: [.sample("b")])) }
    try expect(.closed, "names") { _ = try storage.names() }
    try expect(.closed, "register") { _ = try storage.register(["a"]) }
    try expect(.closed, "keys") { _ = try storage.keys(in: .all) }
    try expect(.closed, "removeAll") { try storage.removeAll() }
    try expect(.closed, "size") { _ = try storage.size() }
    try expect(.closed, "collect") {
      _ = try storage.collect(toBytes: 0, keeping: [], atMost: 1)
    }
  }
}
