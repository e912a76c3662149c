public import Foundation

/// One result of an execution: data, errors, or both, and what is known about them.
///
/// A value of a few words, cheap to copy; data and errors are shared between copies.
public struct OperationResult: Sendable {
  @usableFromInline
  package private(set) var payload: ResultPayload
  /// Whether newer data are known to exist and are on their way, or will be asked for.
  public var isStale: Bool
  /// Whether more of this execution's data will follow (incremental delivery, subscriptions).
  public var hasNext: Bool
  /// Where the data come from.
  public var outcome: CacheOutcome
  /// Whether a cache could not read or write its storage when it made this: there may be more, or
  /// newer data, than it has shown.
  public var isDegraded: Bool
  @usableFromInline
  package private(set) var signal: RefreshSignal?

  /// A result as a response or a test's script brings it.
  ///
  /// - Parameters:
  ///   - data: what the operation selects; nil if there is none.
  ///   - error: why there is none, or not all.
  ///   - extensions: what the server adds beside data and errors.
  ///   - hasNext: whether more of this execution's data will follow.
  ///   - timing: when the response came.
  public init(
    data: JSON? = nil, error: OperationError? = nil, extensions: JSON? = nil,
    hasNext: Bool = false, timing: ResultTiming? = nil
  ) {
    self.init(
      payload: ResultPayload(data: data, error: error, extensions: extensions, timing: timing))
    self.hasNext = hasNext
  }

  /// Inlined, so that what a cache answers with is put together where it is wanted.
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

  /// When to execute again; the client takes it off before a user sees the result.
  public var refreshSignal: RefreshSignal? { signal }

  /// What the operation selects, as it came; nil if there is none.
  public var data: JSON? {
    get { payload.data }
    set {
      payload = ResultPayload(
        data: newValue, error: error, extensions: extensions, timing: timing,
        missingPaths: newValue == nil ? [] : missingPaths)
    }
  }

  /// Why there are no data, or not all; nil if everything went well.
  public var error: OperationError? {
    get { payload.error }
    set {
      payload = ResultPayload(
        data: data, error: newValue, extensions: extensions, timing: timing,
        missingPaths: missingPaths, decodedFrom: payload)
    }
  }

  /// Puts another result's data beside this one's error, decoded values included.
  package mutating func takeData(of other: ResultPayload) {
    payload = ResultPayload(
      data: other.data, error: error, extensions: extensions, timing: timing,
      missingPaths: other.missingPaths, decodedFrom: other)
  }

  /// A failure with data of a cache beside it, if there are any.
  package func beside(_ payload: ResultPayload?) -> OperationResult {
    guard let payload, payload.data != nil else { return self }
    var result = self
    result.takeData(of: payload)
    result.outcome = payload.missingPaths.isEmpty ? .hit : .partial
    return result
  }

  /// Where the data are null because a cache that was allowed to answer in part knows nothing; empty
  /// for all other results.
  public var missingPaths: [[GraphQLError.PathElement]] { payload.missingPaths }

  /// What the server adds beside data and errors.
  public var extensions: JSON? { payload.extensions }

  /// When the response came, also of a result from the cache; nil if there was none.
  public var timing: ResultTiming? { payload.timing }

  /// A copy that is executed again, too, when `signal` fires.
  public func refreshed(by signal: RefreshSignal) -> OperationResult {
    var copy = self
    copy.signal = self.signal.map { $0.merged(with: signal) } ?? signal
    return copy
  }

  /// A copy without its signal: what users get, so that a result they keep pins nothing.
  package consuming func withoutSignal() -> OperationResult {
    signal = nil
    return self
  }

  /// A copy whose only signal is this one, if there is one.
  package consuming func withSignal(_ signal: RefreshSignal?) -> OperationResult {
    if let signal { self.signal = signal }
    return self
  }

  /// The data, or the error.
  ///
  /// Data beside errors count as data only if `allowingPartialData` says so.
  public func get(allowingPartialData: Bool = false) throws(OperationError) -> JSON {
    if let error, data == nil || !allowingPartialData { throw error }
    guard let data else { throw .noData }
    return data
  }

  /// Whether a consumer could not tell the two apart: where they come from does not count.
  package func looksLike(_ other: OperationResult) -> Bool {
    isStale == other.isStale && hasNext == other.hasNext
      && isDegraded == other.isDegraded
      && (payload === other.payload
        || error == other.error && data == other.data && missingPaths == other.missingPaths)
  }
}

extension OperationResult: CustomStringConvertible {
  /// Where the data come from, how large they are, and the error; not the data, which may be private.
  public var description: String {
    let size = data.map { "\($0.bytes.count) bytes of data" } ?? "no data"
    return (marks + [size] + (error.map { ["\($0)"] } ?? [])).joined(separator: ", ")
  }

  /// All that there is to say but data and error.
  var marks: [String] {
    let flags = [(isStale, "stale"), (isDegraded, "degraded"), (hasNext, "more to come")]
    return ["\(outcome)"] + flags.filter(\.0).map(\.1)
  }
}

/// Where a result's data come from.
public enum CacheOutcome: Hashable, Sendable {
  /// All from a cache.
  case hit
  /// None from a cache: from the network, or there are none.
  case miss
  /// Some from a cache; the rest is missing.
  case partial
}

/// When a response came.
public struct ResultTiming: Hashable, Sendable {
  /// When it was complete.
  public var receivedAt: Date
  /// From sending the request until then.
  public var duration: Duration
  /// How long from then on the response may be used, by its `Cache-Control` and `Age` headers (RFC
  /// 9111); nil if they do not say.
  public var maximumAge: Duration?

  /// A point in time and the time that it took.
  public init(receivedAt: Date, duration: Duration, maximumAge: Duration? = nil) {
    self.receivedAt = receivedAt
    self.duration = duration
    self.maximumAge = maximumAge
  }
}

extension OperationError {
  /// What a caller gets who asks for data where there are none, and no error either: a
  /// `cacheOnly` query that nothing is cached for.
  static let noData = OperationError(code: .noResult, message: "There are no data.")
}
