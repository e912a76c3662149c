import Weir

/// What a store knows of one operation with its variables: what it came to when it was read last,
/// and what that depends on.
///
/// It belongs to the store's state and is only touched under its lock.
final class OperationEntry {
  let target: ReadTarget
  /// Under which the dependency index knows it.
  let number: DependencyIndex.Watcher
  /// What the variables come to, as far as a read has found out.
  var bindings: Bindings
  /// What the signals of its results refer to. Each change that somebody has to hear of fires it,
  /// and puts a new one in its place.
  var source: RefreshSource

  /// What was read last.
  var reading: Reading? { didSet { hasAllStored = false } }
  /// Whether the storage is known to have nothing of what it lacks.
  var hasAllStored = false
  /// The version of the records for which ``reading`` is known to be right.
  var version: UInt64 = 0
  /// Whether the dependency index has its dependencies.
  var isRegistered = false
  /// Whether something that it depends on has changed since; kept up to date while registered.
  var isDirty = false

  /// Whether all that has changed since is what watches have fetched because others had changed
  /// their data. If that takes something away from this one, it must not fetch it again, or two
  /// that overwrite each other would do so for ever.
  var isWokenByRepair = false
  private var unseenChanges = 0
  /// What it showed before that happened.
  private(set) var kept: ResultPayload?

  /// When the last request was sent that brought its data, or when they were first shown.
  var requestedAt = LogicalInstant.distantPast
  /// When its own data were written last, in milliseconds of the store's clock; nil if they came
  /// with other operations.
  var writtenAt: Int64?
  /// When what it shows became stale, as far as who waits for it has been woken for that.
  var expiredAt: Int64?
  /// When what was shown last as fresh becomes stale; nil if that is never, or was never shown.
  var shownFreshUntil: Int64?
  var failure: (payload: ResultPayload, sentAt: LogicalInstant)?
  /// When it was used last, by the store's count of uses.
  var lastUse: UInt64 = 0
  /// The version of the records when it was used last.
  var lastUseVersion: UInt64 = 0

  /// The outcome of a read.
  final class Reading: Sendable {
    /// Data, if there are any; shared by the results that show them.
    let payload: ResultPayload?
    let trace: ReadTrace
    let missing: [Int]
    /// Whether it was read with the leave to miss something.
    let allowsPartial: Bool
    /// Whether a storage may have what is missing, or elements that were left out of lists because
    /// they are not in memory.
    let mayLackStored: Bool
    /// When something in it becomes stale, in milliseconds of the store's clock.
    let freshUntil: Int64

    init(_ found: ReadResult, payload: ResultPayload?, allowsPartial: Bool) {
      self.payload = payload
      trace = found.trace
      missing = found.missing
      mayLackStored = !found.missing.isEmpty || !found.trace.dangling.isEmpty
      self.allowsPartial = allowsPartial
      freshUntil = found.freshUntil
    }

    /// What it shows, if nothing is missing and nothing in it ever becomes stale by itself.
    var lastingPayload: ResultPayload? {
      missing.isEmpty && freshUntil == RowAges.never ? payload : nil
    }
  }

  init(
    target: ReadTarget, number: DependencyIndex.Watcher, bindings: Bindings, source: RefreshSource
  ) {
    self.target = target
    self.number = number
    self.bindings = bindings
    self.source = source
  }

  /// Whether the storage, if there is one, may have what the result lacks.
  var mayLackStored: Bool { !hasAllStored && reading?.mayLackStored ?? true }

  /// Whether what was read last is known to be right, without a look at any record.
  func isKnownToBeCurrent(at version: UInt64) -> Bool {
    isRegistered ? !isDirty : self.version == version
  }

  /// Something was changed that it depends on.
  func noteChange(isRepair: Bool) {
    isWokenByRepair = isRepair && (isWokenByRepair || !isDirty)
    isDirty = true
    if !isRepair { unseenChanges = 0 }
  }

  /// Something was changed while nobody waited, and nobody knows by whom. Again and again that is
  /// by repairs.
  func noteUnseenChange() {
    isDirty = true
    unseenChanges += 1
    if unseenChanges > 3 { isWokenByRepair = true }
  }

  /// Whether what was shown as fresh has become stale before anybody waited for that. Only once: who
  /// cannot get newer data goes on showing the old ones.
  func noteExpiry(at now: Int64) -> Bool {
    guard let freshUntil = shownFreshUntil, freshUntil <= now, expiredAt != freshUntil,
      reading?.freshUntil == freshUntil
    else { return false }
    expiredAt = freshUntil
    return true
  }

  /// It was read again.
  func keepIfRepaired(_ old: Reading?, isComplete: Bool) {
    if isComplete { isWokenByRepair = false }
    if !isWokenByRepair {
      kept = nil
    } else if let old, old.missing.isEmpty, let payload = old.payload {
      kept = payload
    }
  }

  /// Whether somebody holds a signal that refers to its source.
  var isWatched: Bool { !isKnownUniquelyReferenced(&source) }
}
