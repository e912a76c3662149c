import Weir

/// Stands in for `Synchronization.Mutex`, which an example uses: the thread sanitizer does not see
/// that one on Linux, and reports races that do not exist.
struct Mutex<Value>: Sendable {
  private let value: Locked<Value>

  init(_ value: sending Value) {
    self.value = Locked(value)
  }

  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    value.withLock { body(&$0) }
  }
}
