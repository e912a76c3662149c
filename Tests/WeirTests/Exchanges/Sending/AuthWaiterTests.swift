import Testing
import WeirTesting

@testable import Weir

@Suite("Credentials, and operations that have left", .timeLimit(.minutes(10)))
struct AuthWaiterTests {
  /// Credentials that run a callback when they are released.
  private final class Token: Sendable {
    private let onRelease: @Sendable () -> Void

    init(onRelease: @escaping @Sendable () -> Void) { self.onRelease = onRelease }
    deinit { onRelease() }
  }

  @Test("Any number of operations that have left does not overflow the stack (A1)")
  func manyHaveLeft() async {
    let auth = AuthExchange(
      AuthConfiguration<String>(
        load: {
          await Gate().pass()
          return "never"
        }, attach: { _, _ in }, refresh: { $0 }))
    for _ in 0..<100_000 {
      guard case .wait(let waiter) = auth.arrive(postQuery()) else {
        Issue.record("The operation does not wait.")
        return
      }
      // As if its task had been cancelled, and had not left the queue yet.
      waiter.deliver(.failure(CancellationError()))
    }
    auth.update("new")
    #expect(auth.waitingCount == 0)
    guard case .admit(.success(let pass)) = auth.arrive(postQuery()) else {
      Issue.record("The next operation is not admitted.")
      return
    }
    #expect(pass.credentials == "new")
  }

  @Test("Replaced credentials are released outside the lock (A1)")
  func release() async {
    await watched("replaced credentials") {
      let released = Counter()
      let auth = AuthExchange(
        AuthConfiguration<Token>(load: { nil }, attach: { _, _ in }, refresh: { $0 }))
      for _ in 0..<3 {
        auth.update(
          Token { [weak auth] in
            _ = auth?.waitingCount
            _ = released.next()
          })
      }
      #expect(released.count == 2)
      auth.switchSession(to: Session(number: 1))
      #expect(released.count == 3)
    }
  }
}
