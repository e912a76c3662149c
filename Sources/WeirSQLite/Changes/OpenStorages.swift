import Weir
import WeirNormalized

/// Connects the storages of this process that use one file: a commit wakes the other change feeds at once,
/// and none saves a snapshot from before everything was removed.
final class OpenStorages: Sendable {
  static let shared = OpenStorages()

  private let feeds = Locked<[DatabaseFile: [ChangeFeed]]>([:])
  /// When everything was removed last, even by a storage that is gone. By the paths without links.
  private let removals = Locked<[DatabaseFile: SnapshotOrigin]>([:])

  func add(_ feed: ChangeFeed, for file: DatabaseFile) {
    feeds.withLock { $0[file, default: []].append(feed) }
  }

  func remove(_ feed: ChangeFeed, for file: DatabaseFile) {
    feeds.withLock { feeds in
      feeds[file]?.removeAll { $0 === feed }
      if feeds[file]?.isEmpty == true { feeds[file] = nil }
    }
  }

  /// Wakes the other feeds of the file.
  func wake(_ file: DatabaseFile, except own: ChangeFeed) {
    let others = feeds.withLock { $0[file] ?? [] }
    for feed in others where feed !== own { feed.wake() }
  }

  func noteRemoval(of file: DatabaseFile) {
    let file = file.withoutLinks
    removals.withLock { $0[file] = SnapshotOrigin() }
  }

  /// Whether everything was removed after a snapshot was made: it may be another user's.
  func hasRemoved(_ file: DatabaseFile, since snapshot: SnapshotOrigin) -> Bool {
    let file = file.withoutLinks
    return removals.withLock { $0[file] }.map(snapshot.precedes) ?? false
  }
}
