public import Foundation

/// The settings of one execution: everything except what the operation asks for.
///
/// The common case costs nothing: all settings but the request policy live in storage that is
/// allocated when the first of them is set.
public struct OperationContext: Sendable {
  /// Whether the cache may answer, and whether a request is sent. The default is
  /// ``RequestPolicy/cacheFirst``.
  public var requestPolicy: RequestPolicy

  /// The execution accepts only results that were requested at or after this instant: the one at
  /// which a signal has fired for the watch that refetches, ``LogicalInstant/distantPast`` for
  /// every other execution.
  ///
  /// An exchange that keeps results must not answer with an older one. Take the instant of a result
  /// with ``LogicalInstant/next()`` before its request is forwarded.
  public package(set) var notBefore = LogicalInstant.distantPast
  /// The session to which the execution belongs. The client sets it. An exchange or a transport of
  /// your own that keeps something beyond one execution (a connection, for example) must keep it
  /// apart by session.
  public package(set) var session = Session(number: 0)
  /// Whether the client has just looked into the nearest cache, and found nothing there. So neither
  /// dedup nor that cache looks before it decides what to do.
  var hasMissed = false
  /// Whether the request policy is also that of a refetch: the cached result is too old, or another
  /// execution with that policy shares the flight.
  var keepsPolicy = false
  /// The policy that decides what a look into the caches may show, which answer it at once; nil in an
  /// ordinary execution. See `GraphQLOperation.look(showing:)`.
  package internal(set) var lookPolicy: RequestPolicy?
  /// The request, if dedup lets other executions share it, or if a cache has data to compare with.
  package var sharedRequest: SharedRequest?
  private var isShared = false
  private var stored: Shared<Details>?

  /// Creates a context with a request policy and the default for every other setting.
  public init(requestPolicy: RequestPolicy = .cacheFirst) {
    self.requestPolicy = requestPolicy
  }

  /// Returns a copy with changed settings.
  ///
  /// ```swift
  /// client.watch(feed, context: .networkOnly.with { $0.headers["accept-language"] = "de" })
  /// ```
  public func with(_ change: (inout OperationContext) -> Void) -> OperationContext {
    var copy = self
    change(&copy)
    return copy
  }

  /// The address to which the operation is sent instead of the fetch exchange's own. It is part of
  /// the operation's key.
  public var endpoint: URL? {
    get { details?.endpoint }
    set { updateScope { $0.endpoint = newValue } }
  }

  /// HTTP headers for this execution, in addition to those that exchanges set.
  ///
  /// They are part of the operation's key, except neutral ones such as `traceparent`: dedup and the
  /// caches keep executions with different headers apart (``HeaderRules``). So do not put a token
  /// here that is renewed now and then, because the cache would be empty after each renewal: attach
  /// it by an ``AuthExchange``. In a client that serves several users, a user's token belongs here.
  public var headers: HTTPHeaders {
    get { details?.headers ?? [:] }
    set { updateScope { $0.headers = newValue } }
  }

  /// Which of the ``headers`` are part of the key. The client sets it: see
  /// ``ClientConfiguration/headerRules``. Set it yourself for operations that you pass directly to a
  /// normalized cache's store, if your client's rules are not the standard ones.
  public var headerRules: HeaderRules {
    get { details?.rules ?? .standard }
    set { update { $0.headerRules = newValue } }
  }

  /// Whether an ``AuthExchange`` forwards this execution without credentials: for the operation
  /// that logs in, and for the one that renews credentials, which would otherwise wait for itself.
  ///
  /// It is part of the operation's key: dedup and the caches keep executions with and without
  /// credentials apart. A normalized cache also keeps what such a mutation returns away from queries
  /// with credentials.
  public var skipsAuthentication: Bool {
    get { details?.skipsAuthentication ?? false }
    set { updateScope { $0.skipsAuthentication = newValue } }
  }

  /// Names that invalidate the result, in addition to the types that it contains. On a mutation or
  /// a subscription: names that its results invalidate.
  public var additionalTypenames: Set<String> {
    get { details?.additionalTypenames ?? [] }
    set { update { $0.additionalTypenames = newValue } }
  }

  /// Whether caches store the result. The default is true. A watch of a result that is not stored
  /// is refetched after mutations that return its types (document cache), but does not follow what
  /// other operations learn about its entities (normalized cache).
  public var storesResult: Bool {
    get { details?.storesResult ?? true }
    set { update { $0.storesResult = newValue } }
  }

  /// Whether a cache keeps this result of the execution.
  package func stores(_ result: OperationResult) -> Bool {
    storesResult && result.retention.map { $0 > .zero } ?? true
  }

  /// Whether cancelling the caller of `mutate` also cancels the request. The default is false: the
  /// server may have made the change already, and then the caches need the response. The client reads it
  /// before the chain: an exchange's change of it has no effect.
  public var abortsWhenCancelled: Bool {
    get { details?.abortsWhenCancelled ?? false }
    set { update { $0.abortsWhenCancelled = newValue } }
  }

  /// Whether a query is sent by HTTP GET; nil leaves the choice to the fetch exchange.
  public var prefersGET: Bool? {
    get { details?.prefersGET }
    set { update { $0.prefersGET = newValue } }
  }

  /// The greatest age of a cached result: an older one counts as missing. Nil leaves the choice to
  /// the cache.
  public var maximumAge: Duration? {
    get { details?.maximumAge }
    set { update { $0.maximumAge = newValue } }
  }

  /// How long the execution may take in all, until its last result; nil, the default, for no limit.
  ///
  /// This is the one limit for everything that a caller may wait for: attempts and the delays
  /// between them (``RetryExchange``), the queue of a ``ConcurrencyLimitExchange``, a request that
  /// another execution has sent or the one after it (``DedupExchange``), new credentials
  /// (``AuthExchange``), a storage, and your own exchanges. The other limits are for one step each:
  /// ``FetchConfiguration/timeout`` or ``requestTimeout`` for one request, ``AuthConfiguration/timeout``
  /// for one refresh of the credentials.
  ///
  /// When the time is over, the caller gets an error with the code
  /// ``OperationError/Code/timedOut``, with cached data beside it as after any other failure of the
  /// network. The execution is cancelled; a request that other executions share goes on until the
  /// last of them has left. A mutation goes on, too, as if its caller had been cancelled: see
  /// ``abortsWhenCancelled``.
  ///
  /// The client reads it before the chain: an exchange's change of it has no effect. Without one,
  /// ``ClientConfiguration/totalTimeout`` applies.
  ///
  /// The time begins with the execution, so each refetch of a watch has the whole time. Results
  /// that a cache delivers at once are not delayed. Subscriptions have no total timeout. With one,
  /// an execution that has to wait costs two tasks.
  public var totalTimeout: Duration? {
    get { details?.totalTimeout }
    set { update { $0.totalTimeout = newValue } }
  }

  /// A value of your own for your exchanges, under a key type of your own.
  ///
  /// It is not part of the operation's key: dedup and the caches share results between executions with
  /// different values, and the exchanges below dedup see the value of the execution that has started the
  /// request. To keep results apart, use a header or ``endpoint``.
  ///
  /// Reading a value that was not set costs next to nothing.
  @inlinable
  public subscript<Key: OperationContextKey>(key: Key.Type) -> Key.Value {
    get {
      // Inlined, so that it is specialized for the key. Even a cast of nil costs more than the rest
      // of a hit.
      guard hasDetails, let value = value(of: ObjectIdentifier(key)) else {
        return Key.defaultValue
      }
      return value as? Key.Value ?? Key.defaultValue
    }
    set { setValue(newValue, of: ObjectIdentifier(key)) }
  }

  @usableFromInline var hasDetails: Bool { stored != nil }

  /// Whether every fresh result of a cache answers a query: only the request policy was set.
  var acceptsAnyHit: Bool {
    (requestPolicy == .cacheFirst || requestPolicy == .cacheOnly)
      && stored == nil && sharedRequest == nil && !isRefetch
  }

  @usableFromInline
  func value(of key: ObjectIdentifier) -> (any Sendable)? { details?.values[key] }

  @usableFromInline
  mutating func setValue(_ value: any Sendable, of key: ObjectIdentifier) {
    update { $0.values[key] = value }
  }

  /// Notes the data that a cache has already, for the exchange that parses the response.
  mutating func noteFormer(_ data: JSON) {
    let request = sharedRequest ?? SharedRequest(additionalTypenames)
    request.former = data
    sharedRequest = request
  }

  /// Returns the names that all executions of the operation have added by now; none can be added to a
  /// shared request afterwards.
  package func takeTags() -> Set<String> { sharedRequest?.take() ?? additionalTypenames }

  /// The endpoint, the headers and the lack of credentials that are part of the key beside document and
  /// variables; nil without any.
  package var scope: OperationScope? {
    guard let stored, let memo = stored.value.scope else { return nil }
    let rules = stored.value.rules
    return memo.scope(under: rules) {
      OperationScope(
        endpoint: stored.value.endpoint, headers: stored.value.headers, rules: rules,
        skipsAuthentication: stored.value.skipsAuthentication)
    }
  }

  /// The configuration of the client that executes the operation; nil if it is the default one.
  package internal(set) var client: ClientConfiguration? {
    get { details?.client }
    set { update { $0.client = newValue } }
  }

  /// The scope under which dedup and the caches share the result; nil if nothing shares it. Below
  /// them, exchanges may add headers, which change ``scope`` only.
  var sharedScope: String? { isShared ? details?.sharedScope ?? "" : nil }

  /// Notes that the result will be shared under the present scope, unless that was noted before.
  mutating func noteSharing() {
    guard !isShared else { return }
    isShared = true
    if let scope { update { $0.sharedScope = scope.text } }
  }

  /// See ``noteCredentials(addedTo:renewalCount:)``; nil if no exchange has attached credentials.
  var renewals: [String: Renewal]? {
    get { details?.renewals }
    set { update { $0.renewals = newValue } }
  }

  private var details: Details? { stored?.value }

  private mutating func update(_ change: (inout Details) -> Void) {
    var details = self.details ?? Details()
    change(&details)
    stored = Shared(details)
  }

  private mutating func updateScope(_ change: (inout Details) -> Void) {
    update { details in
      change(&details)
      details.scope = ScopeMemo()
    }
  }
}

/// The key of a value that a context carries for your exchanges.
///
/// ```swift
/// enum Screen: OperationContextKey { static let defaultValue = "none" }
/// operation.context[Screen.self] = "settings"
/// ```
public protocol OperationContextKey {
  /// The type of the value.
  associatedtype Value: Sendable
  /// The value in a context in which none was set.
  static var defaultValue: Value { get }
}

extension OperationContext {
  /// The settings that few executions change.
  private struct Details: Sendable {
    var endpoint: URL?
    var headers: HTTPHeaders = [:]
    var additionalTypenames: Set<String> = []
    var storesResult = true
    var abortsWhenCancelled = false
    var prefersGET: Bool?
    var maximumAge: Duration?
    var totalTimeout: Duration?
    var values: [ObjectIdentifier: any Sendable] = [:]
    /// Nil as long as nothing was set that may be part of it.
    var scope: ScopeMemo?
    var headerRules: HeaderRules?
    var client: ClientConfiguration?
    var sharedScope: String?
    var renewals: [String: Renewal]?
    var skipsAuthentication = false

    var rules: HeaderRules { headerRules ?? client?.headerRules ?? .standard }
  }
}
