import CSQLite
import Foundation
import Weir
import WeirNormalized
import WeirSQLite

// The second process of the tests: performs one task on a file and prints the results on its standard
// output. The first argument is the task, the second the path of the file.

let arguments = CommandLine.arguments
guard arguments.count >= 3 else { exit(2) }
let fileURL = URL(fileURLWithPath: arguments[2])

@Sendable func say(_ text: String) {
  FileHandle.standardOutput.write(Data((text + "\n").utf8))
}

func makeStorage(fingerprints: [String: String] = [:]) -> SQLiteStorage {
  var configuration = SQLiteConfiguration()
  configuration.fingerprints = fingerprints
  configuration.busyTimeout = .seconds(60)
  configuration.externalChangeInterval = .milliseconds(5)
  configuration.onDiagnostic = { say("diagnostic \($0.code.rawValue)") }
  return SQLiteStorage(fileURL: fileURL, configuration: configuration)
}

/// Prints the code of the error that `body` throws, or `ok`.
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

/// Limits the size of files to the third argument, in bytes, and returns it.
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
  // Commits batches until the process is killed, and prints the number of each committed batch.
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
  // Registers two names, and commits records with the given keys.
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
  // Makes the given number of commits.
  let storage = makeStorage()
  for number in 0..<(arguments.dropFirst(3).first.flatMap(Int.init) ?? 0) {
    try? storage.commit(RecordBatch(records: [StoredRecord(key: "\(number)", type: 1, value: [])]))
  }
case "listen":
  // Prints the changes by other processes until the process is killed.
  let storage = makeStorage()
  let stream = storage.externalChanges()
  say("listening \((try? storage.size().records) ?? -1)")
  for await keys in stream { say(keys.map { $0.sorted().joined(separator: " ") } ?? "anything") }
case "store":
  // Prints the text of a todo until the process is killed; if the text is `mine`, writes another one.
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
case "log out":
  // Fills a store by a query, ends the session durably, and waits to be killed.
  let store = NormalizedStore(storage: makeStorage())
  let client = GraphQLClient([
    .normalizedCache(store),
    .fallback { _ in
      OperationResult(
        data: try JSON(parsing: #"{"me":{"__typename":"User","id":"1","name":"secret"}}"#))
    },
  ])
  _ = await client.query(GraphQLOperation("{ me { id name } }"))
  try await store.flush()
  say("saved")
  try await client.switchSession(durably: true)
  say("switched")
  _ = try? FileHandle.standardInput.readToEnd()
case "write rounds":
  // Writes rounds through a store until the process is killed, and prints the saved ones.
  await StoreRounds.writeForEver(makeStorage())
case "open and close":
  // Writes the given number of rounds, each with a new storage and a new store.
  let count = arguments.dropFirst(3).first.flatMap(Int.init) ?? 0
  try await StoreRounds.openAndClose(count) { makeStorage() }
case "open and commit":
  // Makes the given number of commits, each with a new storage.
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
  // Commits to a file of limited size, as on a full disk.
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
  // Uses a file on a disk without room for the index of the log.
  _ = limitFiles()
  let storage = makeStorage()
  attempt("load") {
    say("record \(try storage.load(["a"])[0] == nil ? "missing" : "there")")
  }
  attempt("commit") {
    try storage.commit(RecordBatch(records: [StoredRecord(key: "b", type: 1, value: [1])]))
  }
  attempt("remove") { try storage.removeAll() }
case "rebuild limited":
  // Opens a damaged file on a disk without room for a new one.
  _ = limitFiles()
  let storage = makeStorage()
  if arguments.contains("remove") {
    attempt("remove") { try storage.removeAll() }
  } else {
    attempt("open") { try storage.open() }
  }
case "remove limited":
  // Removes everything from a file on a disk without room for the log of the removal.
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
    say("numbers \(Set(numbers).isDisjoint(with: others) ? "differ" : "are assigned twice")")
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
  // Uses the file as an unprivileged user. The third argument is a type that has a new fingerprint.
  if getuid() == 0 { setuid(65534) }
  let types = arguments.dropFirst(3).map { ($0, "new") }
  let storage = makeStorage(fingerprints: Dictionary(uniqueKeysWithValues: types))
  attempt("load") { _ = try storage.load(["a"]) }
  attempt("commit") {
    try storage.commit(RecordBatch(records: [StoredRecord(key: "a", type: 1, value: [1])]))
  }
  attempt("again") { _ = try storage.size() }
default:
  exit(2)
}
