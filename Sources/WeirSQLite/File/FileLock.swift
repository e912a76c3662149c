import Foundation
import WeirNormalized

/// An advisory lock that belongs to one database file, held while a process opens, sets aside or
/// rebuilds the file.
///
/// The database itself cannot be locked, because it is renamed. The lock is on a file beside it, whose
/// name ends with `-lock`, and which is deleted when the lock is released. The lock ends with the
/// process.
final class FileLock {
  private let path: String
  private var descriptor: Int32 = -1

  /// Waits for the lock for up to `timeout`. If no file can be created or locked beside the database,
  /// the process goes on without a lock.
  init(of file: DatabaseFile, timeout: Duration) throws(StorageError) {
    path = file.path + "-lock"
    let deadline = ContinuousClock.now + timeout
    while true {
      descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard descriptor >= 0 else { return }
      while flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
        guard ContinuousClock.now < deadline else {
          close(descriptor)
          descriptor = -1
          throw StorageError(.busy, "Timed out while another process was opening the file")
        }
        usleep(1000)
      }
      if isCurrent { return }
      // The one who had the lock has deleted the file.
      close(descriptor)
    }
  }

  /// Whether the locked file is still the one at the path.
  private var isCurrent: Bool {
    var (own, current) = (stat(), stat())
    return fstat(descriptor, &own) == 0 && stat(path, &current) == 0
      && own.st_dev == current.st_dev && own.st_ino == current.st_ino
  }

  deinit {
    guard descriptor >= 0 else { return }
    // First, so that nobody locks a file that is deleted afterwards.
    unlink(path)
    // Closing alone is not enough: a child process between fork and exec holds a copy.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
