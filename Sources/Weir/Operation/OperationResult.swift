public import Foundation

/// One result of an execution: data, errors, or both, with their origin and state.
///
/// A value of a few words, cheap to copy; copies share data and errors.
public struct OperationResult: Sendable {
  @usableFromInline
  package private(set) var payload: ResultPayload
  /// Whether the data was superseded or has expired.
  ///
  /// Newer data has been requested or will be, except for `peek` and the policy
  /// ``RequestPolicy/cacheOnly``, which send nothing.
  ///
  /// A watch also sets it beside an error, if the normalized cache has lost part of the shown data,
  /// as by removing an entity that a list still names.
  public var isStale: Bool
  /// Whether more of this execution's data will follow (incremental delivery, subscriptions).
  public var hasNext: Bool
  /// Whether the data comes from a cache.
  public var outcome: CacheOutcome
  /// Whether a cache could not read or write its storage when it made this result: there may be
  /// more, or newer, data than it shows.
  public var isDegraded: Bool
  /// Whether the data is that of a cache, beside the error of a failed request.
  private(set) var isFallback = false
  /// Whether it says that nothing is cached for a query whose policy is `cacheOnly`, perhaps by an
  /// exchange.
  var isMiss = false
  /// Whether a cache has lost data that it has delivered earlier, and that a watch may still show.
  package var hasLostData = false
  @usableFromInline
  package private(set) var signal: RefreshSignal?

  /// Creates a result, in an exchange or a test of your own.
  ///
  /// - Parameters:
  ///   - data: the data that the operation selects, if there is any.
  ///   - error: the reason why data is missing or incomplete.
  ///   - extensions: the `extensions` of the response.
  ///   - hasNext: whether more of this execution's data will follow.
  ///   - timing: when the response was received.
  public init(
    data: JSON? = nil, error: OperationError? = nil, extensions: JSON? = nil,
    hasNext: Bool = false, timing: ResultTiming? = nil
  ) {
    self.init(
      payload: ResultPayload(data: data, error: error, extensions: extensions, timing: timing))
    self.hasNext = hasNext
  }

  /// Inlined: it is on the path of every cache hit.
  @inlinable
  package init(
    payload: ResultPayload, outcome: CacheOutcome = .miss, isDegraded: Bool = false,
    signal: RefreshSignal? = nil
  ) {
    self.payload = payload
    isStale = false
    hasNext = false
    self.outcome = outcome
    self.isDegraded = isDegraded
    self.signal = signal
  }

  /// Reports when to execute again. The client removes it before it delivers the result.
  public var refreshSignal: RefreshSignal? { signal }

  /// The data that the operation selects, if there is any.
  public var data: JSON? {
    get { payload.data }
    set { payload = payload.with(data: newValue) }
  }

  /// The reason why data is missing or incomplete; nil if everything went well.
  public var error: OperationError? {
    get { payload.error }
    set { payload = payload.changing { $0.error = newValue } }
  }

  /// Takes over a cached result's data beside this one's error. Both share what either decodes.
  package mutating func takeData(of other: ResultPayload) {
    payload = payload.with(dataOf: other, isShared: true)
  }

  /// Takes over the decoded values of an earlier result if the data is the same value.
  consuming func reusing(_ former: ResultPayload?) -> OperationResult {
    guard let former, let data, former.data?.isIdentical(to: data) == true else { return self }
    payload = payload.with(dataOf: former, isShared: false)
    return self
  }

  /// Returns this failure with data of a cache beside it, if there is any.
  package func withFallback(_ payload: ResultPayload?) -> OperationResult {
    guard let payload, payload.hasData else { return self }
    var result = self
    result.takeData(of: payload)
    result.outcome = payload.missingPaths.isEmpty ? .hit : .partial
    result.isFallback = true
    return result
  }

  /// Returns this failure without the data of a cache beside it.
  consuming func withoutFallback() -> OperationResult {
    guard isFallback else { return self }
    data = nil
    outcome = .miss
    isFallback = false
    return self
  }

  /// The paths where the data is null because a cache was allowed to answer without them; empty for
  /// all other results.
  public var missingPaths: [[GraphQLError.PathElement]] { payload.missingPaths }

  /// The `extensions` of the response.
  public var extensions: JSON? {
    get { payload.extensions }
    set { payload = payload.changing { $0.extensions = newValue } }
  }

  /// When the response was received, even if the result comes from a cache; nil without a response.
  public var timing: ResultTiming? {
    get { payload.timing }
    set { payload = payload.with(timing: newValue) }
  }

  /// How long caches may keep the result at most, from when it was received. With zero they do not
  /// keep it; with nil, the default, their configuration decides.
  ///
  /// Set it in an exchange below the cache:
  ///
  /// ```swift
  /// let quotes = MapExchange(result: { operation, result in
  ///   var result = result
  ///   if operation.name == "Quotes" { result.retention = .seconds(10) }
  ///   return result
  /// })
  /// let client = GraphQLClient([.dedup, .documentCache, quotes, .fetch(url)])
  /// ```
  ///
  /// It shortens the time to live that a cache is configured with, and never extends it. A result
  /// that is not kept reaches its consumers as with ``OperationContext/storesResult`` switched off.
  /// A normalized cache limits the time of everything that it writes of the result, also of a
  /// mutation's or an event's; with zero it writes nothing. Afterwards the data is stale, as when a
  /// time to live is over, and watches refetch. A document cache does not serve the result any more
  /// then, but wakes no watch: use `.refresh(every:)`. Invalidation by a mutation does not depend on
  /// this.
  public var retention: Duration? {
    get { payload.retention }
    set { payload = payload.changing { $0.retention = newValue } }
  }

  /// Returns a copy whose operation is executed again when `signal`, or a signal that it has
  /// already, fires. A cache above replaces the signals by its own.
  public func refreshed(by signal: RefreshSignal) -> OperationResult {
    var copy = self
    copy.signal = self.signal.map { $0.merged(with: signal) } ?? signal
    return copy
  }

  /// Returns a copy without its signal, which would keep the cache from evicting an entry as long
  /// as a user keeps the result.
  consuming func withoutSignal() -> OperationResult {
    signal = nil
    return self
  }

  /// Returns a copy with this signal instead of its own, if the signal is not nil.
  package consuming func withSignal(_ signal: RefreshSignal?) -> OperationResult {
    if let signal { self.signal = signal }
    return self
  }

  /// Returns the data or throws the error. If there are both, `allowingPartialData` decides.
  public func get(allowingPartialData: Bool = false) throws(OperationError) -> JSON {
    if let error, data == nil || !allowingPartialData { throw error }
    guard let data else { throw .noData }
    return data
  }

  /// Whether a consumer sees no difference between the two; outcome and timing do not count.
  func looksLike(_ other: OperationResult) -> Bool {
    isStale == other.isStale && hasNext == other.hasNext
      && isDegraded == other.isDegraded
      && (payload === other.payload
        || error == other.error && missingPaths == other.missingPaths && hasEqualData(other))
  }

  private func hasEqualData(_ other: OperationResult) -> Bool {
    guard let data, let others = other.data else { return data == nil && other.data == nil }
    return data.isEqualInAllDigits(to: others)
  }
}

extension OperationResult: CustomStringConvertible {
  /// The outcome, the size of the data, and the error; not the data, which may be private.
  public var description: String {
    let size = data.map { "\($0.bytes.count) bytes of data" } ?? "no data"
    return (marks + [size] + (error.map { ["\($0)"] } ?? [])).joined(separator: ", ")
  }

  /// The outcome, and the states that apply.
  var marks: [String] {
    let flags = [(isStale, "stale"), (isDegraded, "degraded"), (hasNext, "more to come")]
    return ["\(outcome)"] + flags.filter(\.0).map(\.1)
  }
}

/// Whether a result's data comes from a cache.
public enum CacheOutcome: Hashable, Sendable {
  /// All data comes from a cache.
  case hit
  /// The data comes from the network, or there is none.
  case miss
  /// Some data comes from a cache; the rest is missing.
  case partial
}

/// When a response was received.
public struct ResultTiming: Hashable, Sendable {
  /// When the response was complete.
  public var receivedAt: Date
  /// The time from sending the request until then.
  public var duration: Duration
  /// The time from then on during which the response may be used, by its `Cache-Control` and `Age`
  /// headers (RFC 9111); nil if it has neither.
  public var maximumAge: Duration?

  /// Creates a timing.
  ///
  /// - Parameters:
  ///   - receivedAt: when the response was complete.
  ///   - duration: the time from sending the request until then.
  ///   - maximumAge: how long the response may be used; nil, the default, if its headers do not say it.
  public init(receivedAt: Date, duration: Duration, maximumAge: Duration? = nil) {
    self.receivedAt = receivedAt
    self.duration = duration
    self.maximumAge = maximumAge
  }
}

extension OperationError {
  /// The error of `get()` on a result with neither data nor error.
  static let noData = OperationError(
    code: .noResult, message: "The result contains no data, and no error that says why.")

  fileprivate static func notCached(_ operation: GraphQLOperation) -> OperationError {
    OperationError(
      code: .notCached,
      message:
        "Nothing is cached for the query \(operation.name ?? "without a name"), and its policy "
        + "cacheOnly sends no request.")
  }
}

extension OperationResult {
  static let cancelled = OperationResult(error: .cancelled)

  /// The result of a `cacheOnly` query in an exchange that would have to send it.
  package static var unsent: OperationResult {
    var result = OperationResult()
    result.isMiss = true
    return result
  }

  /// Adds the error that says why a `cacheOnly` query has no data.
  ///
  /// The client does this, not the caches: `peek` then does not make errors that nobody sees, and a
  /// watch goes on showing data that the cache has dropped. The policy may be an exchange's, so the
  /// result itself says that it is a miss.
  consuming func explainingMiss(of operation: GraphQLOperation) -> OperationResult {
    if isMiss || operation.context.requestPolicy == .cacheOnly, !payload.hasData, error == nil {
      error = .notCached(operation)
    }
    return self
  }
}
