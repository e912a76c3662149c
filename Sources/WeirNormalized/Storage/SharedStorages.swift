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

  func add(_ link: StorageLink) {
    guard let storage = link.storageIdentity else { return }
    sharers.withLock {
      $0[storage, default: []].append(Sharer(id: ObjectIdentifier(link), link: link))
    }
  }

  func remove(_ link: StorageLink) {
    guard let storage = link.storageIdentity else { return }
    sharers.withLock { sharers in
      sharers[storage]?.removeAll { $0.id == ObjectIdentifier(link) }
      if sharers[storage]?.isEmpty == true { sharers[storage] = nil }
    }
  }

  fileprivate func others(than link: StorageLink) -> [StorageLink] {
    guard let storage = link.storageIdentity else { return [] }
    return sharers.withLock { $0[storage] ?? [] }.compactMap(\.link).filter { $0 !== link }
  }
}

extension StorageLink {
  /// Identifies the storage; nil for a value, which nobody can share.
  fileprivate var storageIdentity: ObjectIdentifier? {
    type(of: storage) is AnyClass ? ObjectIdentifier(storage as AnyObject) : nil
  }

  /// Tells the other stores with this storage which records were changed; nil stands for all. Stores tell
  /// their partitions apart by the prefix of the keys.
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

  /// Tells the partitions of the other stores with this storage that there is a new salt: they may have
  /// used another one.
  func tellSharersOfSalt() {
    for other in SharedStorages.shared.others(than: self) {
      for part in other.livePartitions { part.reload(nil) }
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
    perform { worker in
      // If everything was removed, the salt was removed, too.
      if keys == nil { worker.link.partition?.forgetPrefix() }
      do throws(StorageError) {
        try worker.reload(keys)
      } catch {
        worker.link.report(error)
      }
    }
  }
}
