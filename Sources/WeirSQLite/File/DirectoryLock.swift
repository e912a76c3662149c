import Foundation
import WeirNormalized

/// Makes opening, quarantine and rebuilding one step for all processes: an advisory lock on the
/// directory, which needs no file of its own and ends with the process.
final class DirectoryLock {
  private let descriptor: Int32

  /// Waits for as long as `timeout`. Where directories cannot be locked, there is no lock.
  init(of file: DatabaseFile, timeout: Duration) throws(StorageError) {
    descriptor = open(file.directory, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    let deadline = ContinuousClock.now + timeout
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
      // What throws here is never initialized in full, but is destroyed: the descriptor is closed.
      guard ContinuousClock.now < deadline else {
        throw StorageError(.busy, "Another process has been opening \(file.path) for too long")
      }
      usleep(1000)
    }
  }

  deinit {
    guard descriptor >= 0 else { return }
    // Not by closing alone: a child that is being forked just now holds a copy until it executes.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
