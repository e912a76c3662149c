import Weir
import WeirNormalized

extension RecordStorageContract {
  typealias SharedCheck = @Sendable (Storage, () throws -> Storage) async throws -> Void

  /// The checks of several storages on one medium.
  static let sharedChecks: [(rule: String, check: SharedCheck)] = [
    ("Commits outlive the storage", persistence),
    ("Other storages see a commit at once", visibility),
    ("Storages agree on the numbers of names", sharedNames),
    ("A type is found under the number that it has after another storage's removal", renumbered),
    ("Each listener is notified of other storages' changes, with the keys", changes),
    ("Keys that only look the same are not mixed up in a notification", lookalikes),
    ("A collection is not reported as a change", unreportedCollection),
    ("Listeners are notified when everything is removed", removalNotification),
    ("Streams of changes end with the storage", streamsEnd),
  ]

  private static let persistence: SharedCheck = { first, another in
    let numbers = try first.register(["id", "text"])
    let records = (0..<100).map { StoredRecord.sample("\($0)", type: numbers[0], "\($0)") }
    try first.commit(RecordBatch(records: records))
    try first.commit(RecordBatch(removedKeys: ["7"]))
    let size = try first.size()
    let second = try another()
    first.close()
    defer { second.close() }
    try expect(try second.load(["6", "7"]), [records[6], nil], "Records")
    try expect(try second.names(), [numbers[0]: "id", numbers[1]: "text"], "Names")
    try expect(try second.size().bytes, size.bytes, "Bytes")
  }

  private static let visibility: SharedCheck = { first, another in
    let second = try another()
    defer { second.close() }
    try first.commit(RecordBatch(records: [.sample("a", "1")]))
    try expect(try second.load(["a"]), [.sample("a", "1")], "Another's record")
    try second.commit(RecordBatch(records: [.sample("a", "2"), .sample("b")]))
    try expect(try first.load(["a", "b"]), [.sample("a", "2"), .sample("b")], "Both records")
    try expect(try first.size().records, 2, "Records")
    try second.removeAll()
    try expect(try first.load(["a"]), [nil], "A removed record")
  }

  private static let sharedNames: SharedCheck = { first, another in
    let second = try another()
    defer { second.close() }
    let a = try first.register(["a", "b"])
    let b = try second.register(["c", "b"])
    try expect(b[1], a[1], "The number of b")
    try expect(Set(a + b).count, 3, "Different numbers")
    try expect(try first.names(), try second.names(), "Names")
    try second.removeAll()
    let number = try second.register(["new"])[0]
    try expect(a.contains(number) || b.contains(number), false, "A number is assigned again")
    try expect(try first.names()[number], "new", "The new name")
  }

  private static let renumbered: SharedCheck = { first, another in
    let second = try another()
    defer { second.close() }
    let old = try first.register(["Todo"])[0]
    try first.commit(RecordBatch(records: [.sample("Todo:0", type: old)]))
    try second.removeAll()
    let new = try second.register(["Todo"])[0]
    try second.commit(RecordBatch(records: [.sample("Todo:1", type: new)]))
    let known = try first.register(["Todo"])[0]
    try expect(try first.keys(in: .type(known)), ["Todo:1"], "Keys of the type")
  }

  private static let changes: SharedCheck = { first, another in
    let second = try another()
    defer { second.close() }
    _ = try (first.size(), second.size())
    let streams = [first.externalChanges(), first.externalChanges()]
    try first.commit(RecordBatch(records: [.sample("own")]))
    try second.commit(RecordBatch(records: [.sample("a"), .sample("b")]))
    try second.commit(RecordBatch(records: [.sample("c")], removedKeys: ["a"]))
    for stream in streams {
      let keys = await collected(from: stream) { keys in
        keys?.isSuperset(of: ["a", "b", "c"].map(ExactString.init)) ?? true
      }
      guard let keys else { throw Finding(text: "No notification within a minute") }
      try expect(keys.map { Set($0.map(\.text)) }, ["a", "b", "c"], "Keys")
    }
  }

  private static let lookalikes: SharedCheck = { first, another in
    let second = try another()
    defer { second.close() }
    _ = try (first.size(), second.size())
    let stream = first.externalChanges()
    let keys = ["caf\u{E9}", "cafe\u{301}"]
    try second.commit(RecordBatch(records: keys.map { .sample($0) }))
    try second.commit(RecordBatch(records: [.sample("last")]))
    let found = await collected(from: stream) { $0?.contains(ExactString("last")) ?? true }
    guard let found else { throw Finding(text: "No notification within a minute") }
    // Nil is right, too: anything may have changed.
    try expect(found?.isSuperset(of: keys.map(ExactString.init)) ?? true, true, "Both keys")
  }

  private static let unreportedCollection: SharedCheck = { first, another in
    let second = try another()
    defer { second.close() }
    try first.commit(RecordBatch(records: [.sample("collected")]))
    _ = try second.size()
    let stream = first.externalChanges()
    try expect(try second.collect(toBytes: 0, keeping: [], atMost: 10), ["collected"], "Collected")
    try second.commit(RecordBatch(records: [.sample("last")]))
    let keys = await collected(from: stream) { $0?.contains(ExactString("last")) ?? true }
    guard let keys else { throw Finding(text: "No notification within a minute") }
    try expect(keys.map { Set($0.map(\.text)) }, ["last"], "Keys")
  }

  private static let removalNotification: SharedCheck = { first, another in
    let second = try another()
    defer { second.close() }
    try second.commit(RecordBatch(records: [.sample("a")]))
    _ = try first.size()
    let stream = first.externalChanges()
    try second.removeAll()
    let keys = await collected(from: stream) { $0?.contains(ExactString("a")) ?? true }
    guard keys != nil else { throw Finding(text: "No notification within a minute") }
  }

  private static let streamsEnd: SharedCheck = { first, _ in
    let stream = first.externalChanges()
    first.close()
    let end = await collected(from: stream) { _ in false }
    try expect(end == .some(.some([])), true, "The stream went on")
    let later = await collected(from: first.externalChanges()) { _ in false }
    try expect(later == .some(.some([])), true, "A later stream went on")
  }

  /// Collects keys until `isEnough` or the end of the stream: nil after a minute, `.some(nil)` if
  /// anything may have changed.
  private static func collected(
    from stream: AsyncStream<Set<String>?>,
    until isEnough: @escaping @Sendable (Set<ExactString>?) -> Bool
  ) async -> Set<ExactString>?? {
    await withTaskGroup(of: Set<ExactString>??.self) { group in
      group.addTask {
        var keys: Set<ExactString>? = []
        for await changed in stream {
          if let changed { keys?.formUnion(changed.map(ExactString.init)) } else { keys = nil }
          if isEnough(keys) { break }
        }
        return Task.isCancelled ? .none : .some(keys)
      }
      group.addTask {
        try? await Task.sleep(for: .seconds(60))
        return .none
      }
      defer { group.cancelAll() }
      return await group.next() ?? .none
    }
  }
}
