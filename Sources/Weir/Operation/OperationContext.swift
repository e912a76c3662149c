public import Foundation

/// The settings of one execution: everything except what the operation asks for.
///
/// The common case costs nothing: all settings but the request policy live in storage that is
/// allocated when the first of them is set.
public struct OperationContext: Sendable {
  /// Whether the cache may answer, and whether a request is sent. The default is
  /// ``RequestPolicy/cacheFirst``.
  public var requestPolicy: RequestPolicy

  /// The execution accepts only data that was requested at or after this instant.
  package var notBefore = LogicalInstant.distantPast
  /// The session to which the execution belongs. The client sets it. An exchange or a transport of
  /// your own that keeps something beyond one execution (a connection, for example) must keep it
  /// apart by session.
  public package(set) var session = Session(number: 0)
  /// The tags of all executions that share this one; dedup sets them.
  package var flightTags: FlightTags?
  private var stored: Shared<Details>?

  /// Creates a context with a request policy and the default for every other setting.
  public init(requestPolicy: RequestPolicy = .cacheFirst) {
    self.requestPolicy = requestPolicy
  }

  /// The address to which the operation is sent instead of the fetch exchange's own. It is part of
  /// the operation's key.
  public var endpoint: URL? {
    get { details?.endpoint }
    set { update { $0.endpoint = newValue } }
  }

  /// HTTP headers for this execution, in addition to those that exchanges set. Executions with
  /// different headers never share a request.
  public var headers: HTTPHeaders {
    get { details?.headers ?? [:] }
    set { update { $0.headers = newValue } }
  }

  /// The names of those ``headers`` that change the response, such as `accept-language`: their
  /// values become part of the operation's key. The names are not case-sensitive.
  public var headersInKey: Set<String> {
    get { details?.headersInKey ?? [] }
    set { update { $0.headersInKey = newValue } }
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

  /// Whether cancelling the caller of `mutate` also cancels the request. The default is false: the
  /// server may have made the change already, and then the caches need the response.
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

  /// A value of your own for your exchanges, under a key type of your own.
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

  @usableFromInline
  func value(of key: ObjectIdentifier) -> (any Sendable)? { details?.values[key] }

  @usableFromInline
  mutating func setValue(_ value: any Sendable, of key: ObjectIdentifier) {
    update { $0.values[key] = value }
  }

  /// The endpoint and the declared headers, which are part of the key beside document and
  /// variables.
  @inline(__always)
  package var scope: String? { details?.scope }

  private var details: Details? { stored?.value }

  private mutating func update(_ change: (inout Details) -> Void) {
    var details = self.details ?? Details()
    change(&details)
    details.scope = details.derivedScope
    stored = Shared(details)
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
    var headersInKey: Set<String> = []
    var additionalTypenames: Set<String> = []
    var storesResult = true
    var abortsWhenCancelled = false
    var prefersGET: Bool?
    var maximumAge: Duration?
    var values: [ObjectIdentifier: any Sendable] = [:]
    var scope: String?

    /// Each part carries its length, so that different scopes have different texts.
    var derivedScope: String? {
      guard endpoint != nil || !headersInKey.isEmpty else { return nil }
      var parts = [endpoint?.absoluteString ?? ""]
      for name in headersInKey.map({ $0.lowercased() }).sorted() {
        parts += [name, headers[name] ?? ""]
      }
      return parts.map { "\($0.utf8.count):\($0)" }.joined()
    }
  }
}
