import Dispatch
import Foundation
import Testing
import WeirSupport

@testable import Weir

/// Receiving that stops until the reader has caught up.
@Suite("Suspended responses", .timeLimit(.minutes(10)))
struct SuspensionTests {
  /// A task of a library, which waits before it stops receiving.
  private final class SlowTask: HTTPTransferTask {
    let isReceiving = Locked(true)
    let arrived = AsyncStream.makeStream(of: Void.self)
    let permission = DispatchSemaphore(value: 0)

    func suspend() {
      arrived.continuation.yield()
      permission.wait()
      isReceiving.withLock { $0 = false }
    }

    func resume() { isReceiving.withLock { $0 = true } }

    func cancel() {}
  }

  @Test("Receiving goes on if the reader catches up just before it stops (H1)")
  func crossing() async throws {
    let task = SlowTask()
    let url = try #require(URL(string: "https://example.com/graphql"))
    let transfer = HTTPTransfer(
      HTTPRequest(url: url), since: .now(), limits: UnreadLimits(memory: 1))
    transfer.start(task)
    transfer.received(HTTPTransfer.Head(status: 200, headers: [:]), expecting: -1)
    var body = try await transfer.response().body.makeAsyncIterator()
    async let received: Void = withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        transfer.received([1, 2, 3])
        continuation.resume()
      }
    }
    for await _ in task.arrived.stream { break }
    #expect(try await body.next() == [1, 2, 3])
    task.permission.signal()
    await received
    #expect(task.isReceiving.withLock { $0 })
  }
}
