import WeirNormalized

extension RecordStorageContract {
  typealias Check = @Sendable (Storage) throws -> Void

  /// The checks of a single storage.
  static let checks: [(rule: String, check: Check)] = [
    ("Records are loaded in the order of the keys, with nil for missing ones", order),
    ("A value may be empty or large, and contain any bytes", values),
    ("Keys are compared byte by byte", keysAreBytes),
    ("A record replaces the former one", replacement),
    ("Removals come before records, and unknown keys are ignored", removal),
    ("Any number of keys can be loaded at once", manyKeys),
    ("A selection selects the right keys, and no character is special", selections),
    ("A name keeps its number, and different names have different numbers", names),
    ("Names are compared byte by byte", namesAreBytes),
    ("The size is the size of keys and values", size),
    ("The least recently used records are collected first", collection),
    ("Records to keep are not collected", keeping),
    ("No more records are collected than allowed, and no more than needed", collectionBounds),
    ("After everything was removed, the storage is empty and works", removeAll),
    ("No number is assigned to two names", numbersAreNotReused),
    ("Every call to a closed storage throws", closing),
  ]

  private static let order: Check = { storage in
    try storage.commit(RecordBatch(records: [.sample("a"), .sample("b", type: 2, "second")]))
    let loaded = try storage.load(["b", "missing", "a", "b"])
    try expect(
      loaded,
      [.sample("b", type: 2, "second"), nil, .sample("a"), .sample("b", type: 2, "second")],
      "Four keys")
    try expect(try storage.load([]), [], "No key")
  }

  private static let values: Check = { storage in
    let values: [[UInt8]] = [
      [], [0], [0, 0, 0], Array(0...255), Array(repeating: 7, count: 3_000_000),
    ]
    let records = values.enumerated().map { index, value in
      StoredRecord(key: "value \(index)", type: .max, value: value)
    }
    try storage.commit(RecordBatch(records: records))
    for record in records {
      guard try storage.load([record.key]) == [record] else {
        throw Finding(text: "A value of \(record.value.count) bytes has changed")
      }
    }
  }

  private static let keysAreBytes: Check = { storage in
    let keys = [
      "", "a", "A", "a\0", "a\0b", "é", "e\u{301}", "a_", "a%", "a*", "a'\"", "\u{10FFFF}", "🤷‍♀️",
      String(repeating: "long", count: 5_000),
    ]
    try storage.commit(
      RecordBatch(records: keys.enumerated().map { .sample($1, "\($0)") }))
    for (index, key) in keys.enumerated() {
      let value = try storage.load([key]).first??.value
      try expect(value, Array("\(index)".utf8), "The record under key \(index)")
    }
    try expect(try storage.size().records, keys.count, "Records")
    try storage.commit(RecordBatch(removedKeys: ["é"]))
    try expect(try storage.load(["é"]).map { $0 == nil }, [true], "The removed key")
    try expect(try storage.load(["e\u{301}"]).map { $0 == nil }, [false], "Its equivalent")
  }

  private static let replacement: Check = { storage in
    try storage.commit(RecordBatch(records: [.sample("a"), .sample("b")]))
    try storage.commit(RecordBatch(records: [.sample("a", type: 9, "new")]))
    try expect(
      try storage.load(["a", "b"]), [.sample("a", type: 9, "new"), .sample("b")], "Records")
    try storage.commit(RecordBatch(records: [.sample("c", "first"), .sample("c", "second")]))
    try expect(try storage.load(["c"]), [.sample("c", "second")], "One key twice in a batch")
  }

  private static let removal: Check = { storage in
    try storage.commit(RecordBatch(records: [.sample("a"), .sample("b")]))
    try storage.commit(
      RecordBatch(records: [.sample("a", "again")], removedKeys: ["a", "b", "unknown"]))
    try expect(try storage.load(["a", "b"]), [.sample("a", "again"), nil], "Records")
    try storage.commit(RecordBatch())
    try expect(try storage.size().records, 1, "Records after an empty batch")
  }

  private static let manyKeys: Check = { storage in
    let records = (0..<5_000).map { StoredRecord.sample("Todo:\($0)", "\($0)") }
    try storage.commit(RecordBatch(records: records))
    let loaded = try storage.load(records.reversed().map(\.key) + ["Todo:5000"])
    guard loaded == records.reversed().map(Optional.some) + [nil] else {
      throw Finding(text: "Loading 5,001 keys returns other records")
    }
  }

  private static let selections: Check = { storage in
    let keys = ["Post:2", "Post:20", "Post:200", "Post:3", "Post_2", "Post%", "P", "é:1", "e"]
    try storage.commit(
      RecordBatch(records: keys.map { .sample($0, type: $0 == "P" ? 7 : 1) }))
    let cases: [(RecordSelection, [String])] = [
      (.all, keys), (.type(7), ["P"]), (.type(8), []), (.prefix(""), keys),
      (.prefix("Post:2"), ["Post:2", "Post:20", "Post:200"]), (.prefix("Post_"), ["Post_2"]),
      (.prefix("Post%"), ["Post%"]), (.prefix("post"), []), (.prefix("é"), ["é:1"]),
      (.prefix("e"), ["e"]), (.prefix("\u{10FFFF}"), []),
    ]
    for (selection, expected) in cases {
      try expect(try storage.keys(in: selection).sorted(), expected.sorted(), "\(selection)")
    }
  }

  private static let names: Check = { storage in
    let first = try storage.register(["id", "text", "id"])
    try expect(first.count, 3, "Numbers")
    try expect(first[0], first[2], "The number of a name that occurs twice")
    try expect(first[0] == first[1], false, "Two names with one number")
    let second = try storage.register(["author", "text"])
    try expect(second[1], first[1], "The number of a known name")
    try expect(
      try storage.names(), [first[0]: "id", first[1]: "text", second[0]: "author"], "All names")
    try expect(try storage.register([]), [], "No name")
  }

  private static let namesAreBytes: Check = { storage in
    let names = ["", "é", "e\u{301}", "f({\"a\":\"\0\"})"]
    let numbers = try storage.register(names)
    try expect(Set(numbers).count, names.count, "Numbers")
    let stored = try storage.names()
    for (name, number) in zip(names, numbers) {
      try expect(stored[number].map { Array($0.utf8) }, Array(name.utf8), "Name \(number)")
    }
  }
}
