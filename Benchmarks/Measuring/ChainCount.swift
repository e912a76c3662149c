import Weir
import WeirNormalized

/// How often an operation of a case executes the chain, and how often it asks the cache.
///
/// A run of its own counts that, with an exchange in front of the chain and one above the cache. They
/// would cost time, and without them a hit does not pass the chain.
struct ChainCount {
  /// How often the client has executed the chain.
  var executions: Double
  /// How often a query has asked the cache.
  var lookUps: Double

  static let names = ["executions", "look-ups"]

  private static let isOn = Locked(false)
  private static let executed = AtomicWord()
  private static let lookedUp = AtomicWord()

  /// The exchanges of a measured client, with those that count if something is counted.
  static func noting(_ exchanges: [any Exchange]) -> [any Exchange] {
    guard isOn.withLock(\.self) else { return exchanges }
    var noting: [any Exchange] = [
      InlineExchange { operation, forward in
        executed.add(1)
        return forward(operation)
      }
    ]
    for exchange in exchanges {
      if exchange is DocumentCacheExchange || exchange is NormalizedCacheExchange {
        noting.append(
          InlineExchange { operation, forward in
            if operation.kind == .query { lookedUp.add(1) }
            return forward(operation)
          })
      }
      noting.append(exchange)
    }
    return noting
  }

  /// Lets the clients that `body` makes count.
  static func noting<Value>(_ body: () async throws -> Value) async rethrows -> Value {
    isOn.withLock { $0 = true }
    defer { isOn.withLock { $0 = false } }
    return try await body()
  }

  /// Counts the work of those clients while `body` runs.
  ///
  /// - Returns: the counts divided by the number of operations; nil if no client does anything.
  static func during(
    _ operations: Int, _ body: () async throws -> Void
  ) async throws -> ChainCount? {
    let (executions, lookUps) = (executed.load(), lookedUp.load())
    try await body()
    func each(_ count: UInt64) -> Double { Double(count) / Double(operations) }
    let count = ChainCount(
      executions: each(executed.load() - executions), lookUps: each(lookedUp.load() - lookUps))
    return count.executions > 0 ? count : nil
  }
}
