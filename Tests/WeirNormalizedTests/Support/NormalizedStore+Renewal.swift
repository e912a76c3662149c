import Dispatch
import Testing
import Weir
@testable import WeirNormalized
@testable import WeirRecords

extension NormalizedStore {
  /// Saves everything, and then reloads all memory from the file, as if another process might have
  /// changed anything. For stores whose records are in a file alone.
  func renew() {
    guard isAlone, let link = link as? StorageLink else { return }
    let done = DispatchSemaphore(value: 0)
    link.perform { worker in
      do throws(StorageError) {
        try worker.save()
        try worker.reload(nil)
      } catch {
        worker.link.report(error)
      }
      done.signal()
    }
    #expect(done.wait(timeout: .now() + 540) == .success)
  }

  /// Whether memory must not answer from saved data.
  var isAlone: Bool { ((link as? StorageLink)?.storage as? TemporaryStorage)?.isAlone == true }

  /// Saves everything, so that memory can evict it.
  private var saved: NormalizedStore {
    if isAlone { return renewed }
    guard let link = link as? StorageLink else { return self }
    let done = DispatchSemaphore(value: 0)
    link.perform { worker in
      try? worker.save()
      done.signal()
    }
    #expect(done.wait(timeout: .now() + 540) == .success)
    return self
  }

  private var renewed: NormalizedStore {
    renew()
    return self
  }
}

// MARK: - Replacements that tests call instead of the library's methods

extension NormalizedStore {
  func read(_ operation: GraphQLOperation) -> JSON? {
    renewed.WeirNormalized::read(operation)
  }

  func read(_ fragment: GraphQLFragment, of entity: Entity) -> JSON? {
    renewed.WeirNormalized::read(fragment, of: entity)
  }

  func read<Result>(_ body: (borrowing StoreTransaction) throws -> Result) rethrows -> Result {
    try renewed.WeirNormalized::read(body)
  }

  func read<Data, Variables>(
    _ query: Query<Data, Variables>, _ variables: Variables
  ) throws(OperationError) -> Data? {
    try renewed.WeirNormalized::read(query, variables)
  }

  func read<Data>(_ query: Query<Data, NoVariables>) throws(OperationError) -> Data? {
    try renewed.WeirNormalized::read(query)
  }

  func read<Data>(
    _ fragment: Fragment<Data>, of entity: Entity
  ) throws(OperationError) -> Data? {
    try renewed.WeirNormalized::read(fragment, of: entity)
  }

  func explain(_ operation: GraphQLOperation) -> ReadExplanation {
    renewed.WeirNormalized::explain(operation)
  }

  func explain(_ fragment: GraphQLFragment, of entity: Entity) -> ReadExplanation {
    renewed.WeirNormalized::explain(fragment, of: entity)
  }

  @discardableResult
  func collect(_ goal: CollectionGoal = .unreachable) -> Int {
    saved.WeirNormalized::collect(goal)
  }

  var statistics: NormalizedStoreStatistics { saved.WeirNormalized::statistics }

  func extract() -> StoreSnapshot {
    renewed.WeirNormalized::extract()
  }
}

extension NormalizedStore {
  @discardableResult
  func write(_ data: JSON, for operation: GraphQLOperation) throws(StoreError) -> Int {
    try renewed.WeirNormalized::write(data, for: operation)
  }

  @discardableResult
  func write(_ data: JSONValue, for operation: GraphQLOperation) throws -> Int {
    try renewed.WeirNormalized::write(data, for: operation)
  }

  @discardableResult
  func update<Result>(_ body: (inout StoreTransaction) throws -> Result) throws -> Result {
    try renewed.WeirNormalized::update(body)
  }

  func update<Data: Encodable, Variables>(
    _ query: Query<Data, Variables>, _ variables: Variables,
    _ change: (inout Data) throws -> Void
  ) throws {
    try renewed.WeirNormalized::update(query, variables, change)
  }

  func update<Data: Encodable>(
    _ query: Query<Data, NoVariables>, _ change: (inout Data) throws -> Void
  ) throws {
    try renewed.WeirNormalized::update(query, change)
  }

  func update<Data: Encodable>(
    _ fragment: Fragment<Data>, of entity: Entity, _ change: (inout Data) throws -> Void
  ) throws {
    try renewed.WeirNormalized::update(fragment, of: entity, change)
  }
}

// MARK: - Through a client

extension Exchange where Self == RenewingExchange {
  /// A normalized cache whose store is renewed before each execution and each result.
  static func cache(_ store: NormalizedStore) -> RenewingExchange { RenewingExchange(store) }
}

/// See ``cache(_:)``.
final class RenewingExchange: StatefulExchange {
  private let cache: NormalizedCacheExchange

  init(_ store: NormalizedStore) {
    cache = NormalizedCacheExchange(store: store)
  }

  func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    let store = cache.store
    store.renew()
    guard store.isAlone else { return cache.execute(operation, forward: forward) }
    let below = InlineExchange { operation, _ in
      forward(operation).map { result in
        store.renew()
        return result
      }
    }
    return cache.execute(operation, forward: Forward([below]))
  }

  func invalidate(_ invalidation: Invalidation) {
    cache.store.renew()
    cache.invalidate(invalidation)
  }

  func switchSession(to session: Session) {
    cache.switchSession(to: session)
  }

  func finishSwitch(to session: Session) async throws {
    try await cache.finishSwitch(to: session)
  }
}
