import Foundation
import WeirNormalized

/// An advisory lock on the file's directory, held while a process opens, sets aside or rebuilds the
/// file.
///
/// It needs no lock file, and ends with the process.
final class DirectoryLock {
  private let descriptor: Int32

  /// Waits for the lock for up to `timeout`. On file systems that cannot lock directories, the
  /// process goes on without one.
  init(of file: DatabaseFile, timeout: Duration) throws(StorageError) {
    descriptor = open(file.directory, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    let deadline = ContinuousClock.now + timeout
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
      // All properties are initialized, so throwing runs `deinit`, which closes the descriptor.
      guard ContinuousClock.now < deadline else {
        throw StorageError(.busy, "Timed out while another process was opening the file")
      }
      usleep(1000)
    }
  }

  deinit {
    guard descriptor >= 0 else { return }
    // Closing alone is not enough: a child process between fork and exec holds a copy.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
