import CSQLite
import Foundation
import Weir
import WeirNormalized
import WeirSQLite

// The other process of the tests: does one thing to a file, and says on its standard output what
// came of it. What it is to do is its first argument, the file its second.

let arguments = CommandLine.arguments
guard arguments.count >= 3 else { exit(2) }
let fileURL = URL(fileURLWithPath: arguments[2])

@Sendable func say(_ text: String) {
  FileHandle.standardOutput.write(Data((text + "\n").utf8))
}

func makeStorage() -> SQLiteStorage {
  var configuration = SQLiteConfiguration()
  configuration.busyTimeout = .milliseconds(200)
  configuration.externalChangeInterval = .milliseconds(5)
  configuration.onDiagnostic = { say("diagnostic \($0.code.rawValue)") }
  return SQLiteStorage(fileURL: fileURL, configuration: configuration)
}

/// Says the code of what `body` throws, or `ok`.
func attempt(_ name: String, _ body: () throws -> Void) {
  do {
    try body()
    say("\(name) ok")
  } catch let error as StorageError {
    say("\(name) \(error.code.rawValue)")
    FileHandle.standardError.write(Data("\(error)\n".utf8))
  } catch {
    say("\(name) \(type(of: error))")
  }
}

/// Lets no file grow beyond the size that the argument says.
func limitFiles() -> Int {
  let bytes = arguments.dropFirst(3).first.flatMap(Int.init) ?? 0
  var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
  signal(SIGXFSZ, SIG_IGN)
  #if canImport(Darwin)
    setrlimit(RLIMIT_FSIZE, &limit)
  #else
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  #endif
  return bytes
}

func batch(_ number: Int) -> RecordBatch {
  let value = Array("\(number) ".utf8) + Array(repeating: UInt8(ascii: "."), count: number % 4000)
  let records = (0..<20).map { StoredRecord(key: "shared:\($0)", type: 1, value: value) }
  return RecordBatch(
    records: records + [StoredRecord(key: "batch:\(number)", type: 2, value: value)],
    removedKeys: ["batch:\(number - 50)"])
}

switch arguments[1] {
case "write":
  // Batch after batch, each told when it is committed, until somebody ends the process.
  let storage = makeStorage()
  let first = (try? storage.load(["shared:0"])[0]?.value.prefix { $0 != 32 }) ?? [48]
  var number = Int(String(decoding: first, as: UTF8.self)) ?? 0
  while true {
    number += 1
    do {
      try storage.commit(batch(number))
      say("\(number)")
    } catch {
      say("failed \(error)")
    }
  }
case "change":
  // One commit of the keys that follow, after two names.
  let storage = makeStorage()
  attempt("register") {
    say(try storage.register(["first", "second"]).map(String.init).joined(separator: " "))
  }
  attempt("commit") {
    try storage.commit(
      RecordBatch(
        records: arguments.dropFirst(3).map { StoredRecord(key: $0, type: 1, value: [7]) }))
  }
  storage.close()
case "burst":
  // As many commits as the argument says.
  let storage = makeStorage()
  for number in 0..<(arguments.dropFirst(3).first.flatMap(Int.init) ?? 0) {
    try? storage.commit(RecordBatch(records: [StoredRecord(key: "\(number)", type: 1, value: [])]))
  }
case "listen":
  // Says each change by others, until somebody ends the process.
  let storage = makeStorage()
  let stream = storage.externalChanges()
  say("listening \((try? storage.size().records) ?? -1)")
  for await keys in stream { say(keys.map { $0.sorted().joined(separator: " ") } ?? "anything") }
case "store":
  // Says what a todo's text is, until somebody ends the process; writes another one if it is `mine`.
  let todo = GraphQLOperation("{ todo(id: \"1\") { id text } }")
  let store = NormalizedStore(storage: makeStorage())
  let text = arguments.dropFirst(3).first ?? ""
  Thread {
    _ = try? FileHandle.standardInput.readToEnd()
    exit(0)
  }.start()
  for await data in store.watch(todo) {
    let found = data?["todo"]?["text"]?.string ?? "nothing"
    say("read \(found)")
    guard found == "mine" else { continue }
    _ = try? store.write(
      ["todo": ["__typename": "Todo", "id": "1", "text": .string(text)]], for: todo)
  }
case "write rounds":
  // Round after round through a store, those that are saved told, until somebody ends the process.
  await StoreRounds.writeForEver(makeStorage())
case "open and close":
  // As many rounds as the argument says, each with a storage and a store of its own.
  let count = arguments.dropFirst(3).first.flatMap(Int.init) ?? 0
  try await StoreRounds.openAndClose(count) { makeStorage() }
case "open and commit":
  // The same with a storage only.
  let count = arguments.dropFirst(3).first.flatMap(Int.init) ?? 0
  try await StoreRounds.openAndCommit(count) { makeStorage() }
case "hold":
  // Holds the write lock until its standard input ends.
  var connection: OpaquePointer?
  sqlite3_open(fileURL.path, &connection)
  let result = sqlite3_exec(connection, "BEGIN IMMEDIATE", nil, nil, nil)
  say(result == SQLITE_OK ? "held" : "failed \(result)")
  _ = try? FileHandle.standardInput.readToEnd()
  sqlite3_close(connection)
case "limited":
  // Commits into a file that may not grow beyond a size, as on a full disk.
  let bytes = limitFiles()
  let storage = makeStorage()
  attempt("small") {
    try storage.commit(RecordBatch(records: [StoredRecord(key: "small", type: 1, value: [1])]))
  }
  attempt("large") {
    let value = [UInt8](repeating: 1, count: bytes * 2)
    try storage.commit(RecordBatch(records: [StoredRecord(key: "large", type: 1, value: value)]))
  }
  attempt("load") {
    let loaded = try storage.load(["small", "large"])
    say("records \(loaded.map { $0 == nil ? "missing" : "there" }.joined(separator: " "))")
  }
  attempt("again") {
    try storage.commit(RecordBatch(records: [StoredRecord(key: "small", type: 1, value: [2])]))
  }
case "load limited":
  // Uses a file when the medium has no room even for the index of its log.
  _ = limitFiles()
  let storage = makeStorage()
  attempt("load") {
    say("record \(try storage.load(["a"])[0] == nil ? "missing" : "there")")
  }
  attempt("commit") {
    try storage.commit(RecordBatch(records: [StoredRecord(key: "b", type: 1, value: [1])]))
  }
  attempt("remove") { try storage.removeAll() }
case "remove limited":
  // Removes everything from a file when the medium has no room for the log of that.
  let storage = makeStorage()
  let value = [UInt8](repeating: 7, count: 1_000)
  let secret = Array("secret".utf8)
  let numbers = try storage.register(["Todo", "text"])
  attempt("commit") {
    try storage.commit(
      RecordBatch(
        records: (0..<100).map { StoredRecord(key: "\($0)", type: 1, value: value + secret) }))
  }
  _ = limitFiles()
  attempt("again") {
    try storage.commit(
      RecordBatch(records: [StoredRecord(key: "a", type: 1, value: value + value + value)]))
  }
  attempt("remove") { try storage.removeAll() }
  attempt("size") { say("records \(try storage.size().records)") }
  attempt("register") {
    let others = try storage.register(["id", "name"])
    say("numbers \(Set(numbers).isDisjoint(with: others) ? "differ" : "are given out twice")")
  }
  attempt("small") {
    try storage.commit(RecordBatch(records: [StoredRecord(key: "small", type: 1, value: [1])]))
  }
  storage.close()
case "store limited":
  _ = limitFiles()
  await StoreRounds.goOn(makeStorage())
case "store unprivileged":
  if getuid() == 0 { setuid(65534) }
  await StoreRounds.goOn(makeStorage())
case "unprivileged":
  // As a user who owns nothing.
  if getuid() == 0 { setuid(65534) }
  let storage = makeStorage()
  attempt("load") { _ = try storage.load(["a"]) }
  attempt("commit") {
    try storage.commit(RecordBatch(records: [StoredRecord(key: "a", type: 1, value: [1])]))
  }
  attempt("again") { _ = try storage.size() }
default:
  exit(2)
}
