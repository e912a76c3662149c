import Foundation
import Weir
import WeirNormalized
import WeirSQLite

/// A list of todos in a file of its own, which goes with it.
final class StoredTodos {
  private let directory: URL
  private var storage: SQLiteStorage?
  private(set) var store: NormalizedStore

  /// A file that holds so many todos, and a store over it that has all of them in memory.
  init(_ count: Int) async throws {
    directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("weir-benchmark-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    store = NormalizedStore()
    open()
    if count > 0 {
      try TodoStore.write(Payloads.todos(count), to: store)
      try await store.flush()
    }
  }

  deinit {
    storage?.close()
    try? FileManager.default.removeItem(at: directory)
  }

  /// An empty store over the file, which is opened by the first use.
  func open() {
    storage?.close()
    let storage = SQLiteStorage(fileURL: directory.appendingPathComponent("todos.sqlite"))
    self.storage = storage
    store = NormalizedStore(TodoStore.configuration(), storage: storage)
  }

  /// An empty store over the file that is open.
  func forget() {
    store = NormalizedStore(TodoStore.configuration(), storage: storage)
  }

  /// An empty file, and a store over it.
  func clear() throws {
    storage?.close()
    for file in try FileManager.default.contentsOfDirectory(atPath: directory.path) {
      try FileManager.default.removeItem(at: directory.appendingPathComponent(file))
    }
    open()
  }

  func size() throws -> StorageSize {
    try storage?.size() ?? StorageSize(records: 0, bytes: 0)
  }
}
