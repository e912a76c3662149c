import Foundation
import GraphQLLanguage
import Weir

/// A store of entities by key, filled by the results of all operations.
///
/// An exchange shares a store with code that reads and writes it directly. You may call all of its
/// methods from any thread. Readers work on a snapshot, which costs a few reference counts, and large
/// responses and transactions on a copy. The store holds its lock only while a small response is written
/// or a copy takes the place of the records.
public final class NormalizedStore: Sendable {
  let configuration: NormalizedCacheConfiguration
  let state: GuardedState
  /// Held while a large response is merged into a copy of the records.
  let largeMerges = Locked(())
  /// The time since 1970: by the system's clock when the store was made, and from then on by its own. So
  /// saved data becomes stale when it would have, whoever sets the clock meanwhile. A clock of a test
  /// shows a time of its own.
  private let now: @Sendable () -> Duration
  /// Wakes the watches whose data becomes stale.
  let alarm: ExpiryAlarm
  let missedEvents: MissedEventsThrottle
  /// Where the store finds records that memory lacks; nil without a storage.
  let link: (any RecordSource)?
  /// The stores for other endpoints and headers, which share them.
  let partitions: Partitions

  /// A main store is no `partition`. That belongs to others, and has the text of its scope.
  init(
    _ configuration: NormalizedCacheConfiguration, clock: some Clock<Duration>,
    partition: (partitions: Partitions, scope: String)? = nil,
    link: (GuardedState, _ now: @escaping @Sendable () -> Duration) -> (any RecordSource)?
  ) {
    self.configuration = configuration
    let start = clock.now
    let began =
      (clock as? any DatedClock)?.timeSince1970
      ?? .milliseconds(max(0, Int64(Date().timeIntervalSince1970 * 1000)))
    alarm = ExpiryAlarm { milliseconds in
      let deadline = start.advanced(by: .milliseconds(milliseconds) - began)
      try await clock.sleep(until: deadline, tolerance: nil)
    }
    let now: @Sendable () -> Duration = { began + start.duration(to: clock.now) }
    self.now = now
    missedEvents = MissedEventsThrottle(interval: configuration.missedEventsInterval, clock: clock)
    state = GuardedState(StoreState(configuration), scope: partition?.scope)
    let link = link(state, now)
    self.link = link
    partitions =
      partition?.partitions
      ?? Partitions(limit: configuration.maximumBytes) { context, partitions in
        NormalizedStore(
          configuration, clock: clock, partition: (partitions, context.scope?.text ?? "")
        ) { state, _ in link?.partition(of: context, state) }
      }
    state.withLock { $0.results.store = self }
    guard partition == nil else { return }
    partitions.begin(self)
    checkConfiguration()
  }

  deinit {
    for listener in state.withLock(\.listeners).values { listener.finish() }
    if isMain { partitions.end() }
    link?.end()
  }

  var catalog: Catalog { state.catalog }

  /// The time of the store's clock, since 1970.
  var milliseconds: Int64 { now().milliseconds }
}

/// Where a store finds records that memory lacks.
protocol RecordSource: Sendable {
  /// Brings into memory what a read needs.
  func load(_ target: ReadTarget) async

  /// Brings into memory what a read needs, without a wait for it.
  func loadLater(_ target: ReadTarget)

  /// Brings entities into memory.
  func load(_ entities: Set<Entity>) async

  /// Brings everything into memory, as long as there is room.
  func loadAll() async

  /// Brings the lists of the query's root into memory.
  func loadLists() async

  /// Whether there may be something that a read needs and memory lacks.
  func mayComplete(_ target: ReadTarget) -> Bool

  /// Leads another store, for other endpoints and headers, to its own records in the same place.
  func partition(of context: OperationContext, _ state: GuardedState) -> any RecordSource

  /// Saves all changes; a failure is only reported.
  func save() async

  /// Saves all changes.
  ///
  /// - Throws: why some could not be saved, or were lost since the last call.
  func flush() async throws(StorageError)

  /// The store is gone.
  func end()
}
