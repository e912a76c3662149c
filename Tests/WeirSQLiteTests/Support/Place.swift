import Testing
import Weir
import WeirNormalized
import WeirTesting

/// A kind of medium for a store's records, on which several storages can be made.
enum Place: String, CaseIterable, CustomTestStringConvertible {
  case memory, file

  var testDescription: String { rawValue }

  func medium() throws -> Medium {
    switch self {
    case .memory: .memory(MemoryRecordStorage())
    case .file: .file(try TestFile(inMemory: true))
    }
  }

  /// Makes a medium that has all todos, and what `todo(id: "1")` is.
  func filled() async throws -> Medium {
    let medium = try medium()
    let store = medium.store()
    try store.write(Todos.data, for: Todos.all)
    try store.write(["todo": Todos.todo("1")], for: Todos.first)
    try await store.flush()
    return medium
  }
}

enum Medium {
  case memory(MemoryRecordStorage)
  case file(TestFile)

  func storage() -> any RecordStorage {
    switch self {
    case .memory(let storage): MemoryRecordStorage(sharing: storage)
    case .file(let file): file.storage()
    }
  }

  /// Makes a storage as after a restart of the app.
  func store(
    _ configuration: NormalizedCacheConfiguration = NormalizedCacheConfiguration()
  ) -> NormalizedStore {
    NormalizedStore(configuration, storage: storage())
  }
}
