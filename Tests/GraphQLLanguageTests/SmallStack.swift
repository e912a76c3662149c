import Foundation

/// A thread with a stack of 512 KB, the size for secondary threads on Apple platforms.
enum SmallStack {
  static func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
      let thread = Thread { continuation.resume(returning: work()) }
      thread.stackSize = 512 * 1024
      thread.start()
    }
  }
}
