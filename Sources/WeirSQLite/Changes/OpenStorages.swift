import Weir
import WeirNormalized

/// The storages of this process by file, so that a commit of one is told by the others at once.
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

  /// Lets the others look at the file, where anybody listens to them.
  func nudge(_ file: DatabaseFile, except own: ChangeFeed) {
    let others = feeds.withLock { $0[file] ?? [] }
    for feed in others where feed !== own { feed.nudge() }
  }
}
