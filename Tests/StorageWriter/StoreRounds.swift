import Foundation
import Weir
import WeirNormalized
import WeirSQLite

/// Writes rounds of data through a store. All data of a round contains the round's number.
struct StoreRounds {
  static let document = GraphQLDocument(
    """
    query Round($number: Int) {
      rows { id number text box { number } } latest entry(number: $number) { id number }
    }
    """)

  let store: NormalizedStore

  /// Returns the number of the last round in the file.
  func last() async -> Int {
    await store.load(GraphQLOperation("{ latest }"))?["latest"]?.int.map(Int.init) ?? 0
  }

  /// Writes a round and removes the entry of an old one, in one transaction or in two.
  func write(_ number: Int) throws {
    let data = data(number)
    let operation = GraphQLOperation(Self.document, variables: ["number": .int(Int64(number))])
    let old = number - 50
    let entry = StoreSelection.entity(Entity("Entry", id: "\(old)"))
    let field = StoreSelection.field("entry", arguments: ["number": .int(Int64(old))])
    if number % 2 == 0 {
      try store.update { transaction in
        try transaction.write(data, for: operation)
        transaction.remove(entry)
        transaction.remove(field)
      }
    } else {
      try store.write(data, for: operation)
      try store.update { transaction in
        transaction.remove(entry)
        transaction.remove(field)
      }
    }
  }

  private func data(_ number: Int) -> JSONValue {
    let said = JSONValue.int(Int64(number))
    let text = JSONValue.string(String(repeating: ".", count: number % 400))
    let rows = (0..<20).map { row -> JSONValue in
      [
        "__typename": "Row", "id": .string("\(row)"), "number": said, "text": text,
        "box": ["__typename": "Box", "number": said],
      ]
    }
    return [
      "rows": .array(rows), "latest": said,
      "entry": ["__typename": "Entry", "id": .string("\(number)"), "number": said],
    ]
  }
}

extension StoreRounds {
  /// Writes rounds without a pause, and prints the number of each round after `flush` has returned.
  static func writeForEver(_ storage: SQLiteStorage) async {
    let rounds = StoreRounds(store: NormalizedStore(storage: storage))
    var number = await rounds.last()
    while true {
      do {
        for _ in 0...number % 4 {
          number += 1
          try rounds.write(number)
        }
        try await rounds.store.flush()
        say("\(number)")
      } catch {
        say("failed \(error)")
      }
    }
  }

  /// Writes `count` rounds, each with a new storage and a new store.
  static func openAndClose(_ count: Int, _ makeStorage: () -> SQLiteStorage) async throws {
    try await Resources.printGrowth(of: count) { number in
      let storage = makeStorage()
      let rounds = StoreRounds(store: NormalizedStore(storage: storage))
      _ = await rounds.last()
      try rounds.write(number)
      try await rounds.store.flush()
      if number % 2 == 0 { storage.close() }
    }
  }

  /// Makes `count` commits, each with a new storage; most of them are deallocated without `close()`.
  static func openAndCommit(_ count: Int, _ makeStorage: () -> SQLiteStorage) async throws {
    try await Resources.printGrowth(of: count) { number in
      let storage = makeStorage()
      try storage.commit(
        RecordBatch(records: [StoredRecord(key: "\(number % 10)", type: 1, value: [7])]))
      if number % 100 == 0 { storage.close() }
    }
    let storage = makeStorage()
    say("records \(try storage.size().records)")
  }
}

extension Resources {
  /// Runs a closure `count` times, after a hundred times to warm up, and prints the resources that the
  /// process has gained.
  fileprivate static func printGrowth(
    of count: Int, _ round: (Int) async throws -> Void
  ) async throws {
    for number in 1...100 { try await round(number) }
    let before = settled()
    for number in 1...count { try await round(number + 100) }
    let after = settled()
    say("descriptors \(after.descriptors - before.descriptors)")
    say("threads \(after.threads - before.threads)")
    say("kilobytes \((after.bytes - before.bytes) / 1024)")
  }
}

extension StoreRounds {
  /// Uses a store whose file is unusable or becomes so, and prints the data that the store shows.
  static func goOn(_ storage: SQLiteStorage) async {
    var configuration = NormalizedCacheConfiguration()
    configuration.onStorageError = { say("error \($0.code.rawValue)") }
    let store = NormalizedStore(configuration, storage: storage)
    let list = GraphQLOperation("{ todos { id text } }")
    let found = await store.load(list)?["todos"]?[1]?["text"]?.string
    say("loaded \(found?.prefix(6) ?? "nothing")")
    let own = GraphQLOperation("{ own { id text } }")
    let large = String(repeating: "y", count: 100_000)
    func show() { say("shown \(store.read(own)?["own"]?[0]?["text"]?.string ?? "nothing")") }
    do {
      try store.write(
        ["own": [["__typename": "Own", "id": "1", "text": "written"]]], for: own)
      show()
      try store.write(
        ["large": .string(large)], for: GraphQLOperation("{ large }"))
      try await store.flush()
      say("flush ok")
    } catch {
      say("flush \((error as? StorageError)?.code.rawValue ?? "\(error)")")
    }
    show()
  }
}

/// The system resources of the process.
struct Resources: Equatable {
  let descriptors: Int
  let threads: Int
  let bytes: Int

  static var now: Resources {
    func count(_ path: String) -> Int {
      (try? FileManager.default.contentsOfDirectory(atPath: path).count) ?? 0
    }
    let sizes = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?
      .split(separator: " ").compactMap { Int($0) }
    return Resources(
      descriptors: count("/proc/self/fd"), threads: count("/proc/self/task"),
      bytes: (sizes?.dropFirst().first ?? 0) * 4096)
  }

  /// Waits until deallocated storages have closed the file, and returns the resources. Gives up if some
  /// never do.
  static func settled() -> Resources {
    var patience = 100_000
    while isFileOpen, patience > 0 {
      sched_yield()
      patience -= 1
    }
    return now
  }

  private static var isFileOpen: Bool {
    let manager = FileManager.default
    let open = (try? manager.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return open.contains { descriptor in
      let path = try? manager.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
      return path?.hasPrefix(fileURL.path) == true
    }
  }
}
