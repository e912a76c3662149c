import Weir
import WeirNormalized

/// The change feeds of this process by file. A commit to a file wakes the other feeds at once.
final class OpenStorages: Sendable {
  static let shared = OpenStorages()

  private let feeds = Locked<[DatabaseFile: [ChangeFeed]]>([:])

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
}
