import Foundation
import Weir
import WeirNormalized
import WeirSQLite

/// A list of todos in a file, which is removed together with this object.
final class StoredTodos {
  private let directory: URL
  private var storage: SQLiteStorage?
  private(set) var store: NormalizedStore

  /// Makes a file that holds `count` todos, and a store over it that has all of them in memory.
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

  /// Replaces the store by an empty one over the file, which the first use opens.
  func open() {
    storage?.close()
    let storage = SQLiteStorage(fileURL: directory.appendingPathComponent("todos.sqlite"))
    self.storage = storage
    store = NormalizedStore(TodoStore.configuration(), storage: storage)
  }

  /// Replaces the store by an empty one over the open file.
  func forget() {
    store = NormalizedStore(TodoStore.configuration(), storage: storage)
  }

  /// Replaces the file by an empty one.
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
