import Testing
import Weir
import WeirNormalized
import WeirTesting

/// The app's objects may run any code when they are released, even use the store. So the store must not
/// release them while it holds a lock.
@Suite("Releasing the app's objects", .timeLimit(.minutes(10)), .serialized)
struct ReleaseTests {
  private static let post = GraphQLOperation("{ post { id title } }")

  /// A value that runs a callback when it is released.
  final class Fuse: Decodable, Sendable {
    private let onRelease: @Sendable () -> Void

    init(onRelease: @escaping @Sendable () -> Void) { self.onRelease = onRelease }
    init(from decoder: any Decoder) throws { onRelease = { Self.onRelease.withLock { $0 }?() } }
    deinit { onRelease() }

    static let onRelease = Locked<(@Sendable () -> Void)?>(nil)
  }

  private enum FuseKey: OperationContextKey { static let defaultValue: Fuse? = nil }

  @Test("A pin keeps no context, and none is released under the lock")
  func pins() {
    let store = NormalizedStore()
    let count = Locked(0)
    let release = {
      let pin = store.pin(
        Self.post.with {
          $0[FuseKey.self] = Fuse { count.withLock { $0 += store.statistics.pinned + 1 } }
        })
      #expect(count.withLock { $0 } == 2)
      pin.release()
    }
    release()
    #expect(store.statistics.pinned == 0)
  }

  @Test("The data of a response that cannot be read back is released outside the lock")
  func unreadable() async {
    let store = NormalizedStore()
    let client = GraphQLClient([
      .cache(store),
      ScriptedExchange.immediate { _ in .data(#"{"post":{"__typename":"Post","id":"1"}}"#) },
    ])
    let count = Locked(0)
    Fuse.onRelease.withLock {
      $0 = { count.withLock { $0 += 1 + store.statistics.pinned } }
    }
    for _ in 0..<2 {
      let result = await client.query(Self.post)
      #expect(TypedResult<Fuse>(decoding: result).data != nil)
    }
    client.clear()
    let last = await client.query(Self.post)
    _ = TypedResult<Fuse>(decoding: last)
    client.clear()
    #expect(count.withLock { $0 } >= 2)
    Fuse.onRelease.withLock { $0 = nil }
  }
}
