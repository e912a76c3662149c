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
