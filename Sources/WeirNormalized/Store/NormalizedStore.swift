import Foundation
import GraphQLLanguage
import Weir

/// A store of entities by key, filled by the results of all operations.
///
/// An exchange shares a store with code that reads and writes it directly. You may call all of its
/// methods from any thread. The store holds its lock while something is written, never while
/// something is read: readers work on a snapshot, which costs a few reference counts.
public final class NormalizedStore: Sendable {
  let configuration: NormalizedCacheConfiguration
  let state: GuardedState
  /// Held while a large response is merged into a copy of the records. It guards nothing else: the
  /// value is there because the thread sanitizer does not see a lock around nothing.
  let largeMerges = Locked(0)
  private let now: @Sendable () -> Duration
  /// Milliseconds since 1970 at the store's zero, by the system's clock when the store was made:
  /// so saved data becomes stale when it would have, whoever sets the clock meanwhile.
  let epoch: Int64
  /// Wakes the watches whose data becomes stale.
  let alarm: ExpiryAlarm
  /// The diagnostics that were reported.
  let reported = Locked<Set<StoreDiagnostic>>([])
  /// Where the store finds records that memory lacks; nil without a storage.
  let link: (any RecordSource)?

  init(
    _ configuration: NormalizedCacheConfiguration, clock: some Clock<Duration>,
    link: (GuardedState, _ epoch: Int64) -> (any RecordSource)?
  ) {
    self.configuration = configuration
    let start = clock.now
    let now: @Sendable () -> Duration = { start.duration(to: clock.now) }
    alarm = ExpiryAlarm { milliseconds in
      try await clock.sleep(until: start.advanced(by: .milliseconds(milliseconds)), tolerance: nil)
    }
    self.now = now
    epoch = Int64(Date().timeIntervalSince1970 * 1000) - now().wholeMilliseconds
    let store = WeakStore()
    state = GuardedState(
      StoreState(configuration) { identity in
        RefreshSource { source in store.value?.prepareWait(for: identity, source) }
      })
    self.link = link(state, epoch)
    store.value = self
  }

  deinit {
    link?.end()
  }

  var catalog: Catalog { state.catalog }

  /// The time of the store's clock.
  var milliseconds: Int64 { now().wholeMilliseconds }
}

/// Leads from a source back to its store, which the source must not retain.
private final class WeakStore: Sendable {
  private let reference = Locked(Reference())

  private struct Reference {
    weak var store: NormalizedStore?
  }

  var value: NormalizedStore? {
    get { reference.withLock { $0.store } }
    set { reference.withLock { $0.store = newValue } }
  }
}

extension Duration {
  fileprivate var wholeMilliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}

/// Where a store finds records that memory lacks.
protocol RecordSource: Sendable {
  /// Brings into memory what a read needs.
  func load(_ target: ReadTarget) async

  /// Brings entities into memory.
  func load(_ entities: Set<Entity>) async

  /// Brings the lists of the query's root into memory.
  func loadLists() async

  /// Whether there may be something that a read needs and memory lacks.
  func mayComplete(_ target: ReadTarget) -> Bool

  /// Whether there may be pages of a list of the query's root that memory lacks.
  func mayAddPages(to target: ReadTarget) -> Bool

  /// Saves all changes.
  func flush() async throws(StorageError)

  /// The store is gone.
  func end()
}
