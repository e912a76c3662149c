import Foundation
import Weir

/// The stores of this process by storage. A storage reports only what others change; stores that share
/// one tell each other what they have changed.
final class SharedStorages: Sendable {
  static let shared = SharedStorages()

  private struct Sharer {
    let id: ObjectIdentifier
    weak var link: StorageLink?
  }

  private let sharers = Locked<[ObjectIdentifier: [Sharer]]>([:])
  // Proof: read and written only while `condition` is locked.
  private nonisolated(unsafe) var reserved: Set<ObjectIdentifier> = []
  private let condition = NSCondition()

  func add(_ link: StorageLink) {
    sharers.withLock {
      $0[link.storage.identity, default: []].append(Sharer(id: ObjectIdentifier(link), link: link))
    }
  }

  func remove(_ link: StorageLink) {
    let storage = link.storage.identity
    sharers.withLock { sharers in
      sharers[storage]?.removeAll { $0.id == ObjectIdentifier(link) }
      if sharers[storage]?.isEmpty == true { sharers[storage] = nil }
    }
  }

  /// Runs `body` while no other store does so with the same storage.
  func reserve<Result>(
    _ storage: any RecordStorage, _ body: () throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    let storage = storage.identity
    condition.lock()
    while !reserved.insert(storage).inserted { condition.wait() }
    condition.unlock()
    defer {
      condition.lock()
      reserved.remove(storage)
      condition.broadcast()
      condition.unlock()
    }
    return try body()
  }

  fileprivate func others(than link: StorageLink) -> [StorageLink] {
    sharers.withLock { $0[link.storage.identity] ?? [] }.compactMap(\.link).filter { $0 !== link }
  }
}

extension RecordStorage {
  fileprivate var identity: ObjectIdentifier { ObjectIdentifier(self) }
}

extension StorageLink {
  /// Tells the other stores with this storage which records were changed; nil means that all were removed.
  /// Stores tell their partitions apart by the prefix of the keys.
  func tellSharers(_ keys: Set<ExactString>?) {
    for other in SharedStorages.shared.others(than: parent ?? self) {
      guard let partition else {
        other.reload(keys)
        for part in other.livePartitions { part.reload(ofAll: keys) }
        continue
      }
      for part in other.livePartitions where part.partition?.knownPrefix == partition.knownPrefix {
        part.reload(keys)
      }
    }
  }

  private var livePartitions: [StorageLink] { partitionLinks.withLock { $0.compactMap(\.link) } }

  /// Tells a partition which records of the whole storage were changed. An invalidation by type concerns
  /// partitions that the main store has not opened.
  private func reload(ofAll keys: Set<ExactString>?) {
    guard let keys, let partition else { return reload(nil) }
    let mine = partition.keys(among: keys)
    if !mine.isEmpty { reload(mine) }
  }

  private func reload(_ keys: Set<ExactString>?) {
    if keys == nil {
      let hasEnded = listening.withLock(\.hasEnded)
      state.withLock { state in
        // An ended store has nothing that is newer than the removal.
        if hasEnded { state.storage?.unsaved = UnsavedChanges() }
        state.noteEmptied()
      }
    }
    carryOut({ worker throws(StorageError) in try worker.reload(keys) }, then: {})
  }
}
