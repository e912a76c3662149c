public import Foundation

/// How one execution is to be carried out, beside what it asks for.
///
/// The common case costs nothing: all but the request policy live in storage that is only
/// allocated when it is used.
public struct OperationContext: Sendable {
  /// Whether the cache is asked, and whether a request is sent; default ``RequestPolicy/cacheFirst``.
  public var requestPolicy: RequestPolicy

  /// Only data that was requested at or after this instant will do.
  package var notBefore = LogicalInstant.distantPast
  /// Whose execution this is; the client sets it. An exchange or a transport of your own that keeps
  /// anything beyond one execution (a connection, say) keeps it apart by this.
  public package(set) var session = Session(number: 0)
  /// The tags of everybody who shares this execution; dedup sets it.
  package var flightTags: FlightTags?
  private var stored: Stored?

  /// A context with a request policy and nothing else set.
  public init(requestPolicy: RequestPolicy = .cacheFirst) {
    self.requestPolicy = requestPolicy
  }

  /// Where to send the operation instead of to the fetch exchange's own address. It is part of the
  /// operation's key.
  public var endpoint: URL? {
    get { details?.endpoint }
    set { update { $0.endpoint = newValue } }
  }

  /// HTTP headers for this execution, beside those that exchanges add. Executions with different
  /// headers never share a request.
  public var headers: HTTPHeaders {
    get { details?.headers ?? [:] }
    set { update { $0.headers = newValue } }
  }

  /// The names of those ``headers`` that change the answer, such as `accept-language`: their values
  /// become part of the operation's key. Letter case does not count.
  public var headersInKey: Set<String> {
    get { details?.headersInKey ?? [] }
    set { update { $0.headersInKey = newValue } }
  }

  /// Names that the result is invalidated by, beside the types that it contains; on a mutation or
  /// subscription, names that it invalidates.
  public var additionalTypenames: Set<String> {
    get { details?.additionalTypenames ?? [] }
    set { update { $0.additionalTypenames = newValue } }
  }

  /// Whether caches keep the result; default true. A watch of what is not kept is refetched after
  /// mutations that return its types (document cache), but does not follow what other operations learn
  /// of its entities (normalized cache).
  public var storesResult: Bool {
    get { details?.storesResult ?? true }
    set { update { $0.storesResult = newValue } }
  }

  /// Whether a mutation's request is given up when the caller of `mutate` is cancelled; default
  /// false, since the server may have done its work and the caches should hear of it.
  public var abortsWhenCancelled: Bool {
    get { details?.abortsWhenCancelled ?? false }
    set { update { $0.abortsWhenCancelled = newValue } }
  }

  /// Whether a query is sent by HTTP GET; nil leaves it to the fetch exchange.
  public var prefersGET: Bool? {
    get { details?.prefersGET }
    set { update { $0.prefersGET = newValue } }
  }

  /// How old a cached result may be; nil leaves it to the cache. An older one counts as absent.
  public var maximumAge: Duration? {
    get { details?.maximumAge }
    set { update { $0.maximumAge = newValue } }
  }

  /// A typed value for exchanges to find, under a key type of theirs.
  ///
  /// It is inlined: made for the key, looking for a value that is not there costs next to nothing.
  @inlinable
  public subscript<Key: OperationContextKey>(key: Key.Type) -> Key.Value {
    get {
      // A cast costs more than the rest of a hit, even one of nothing.
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

  /// What distinguishes executions of one document and variables: endpoint and declared headers.
  @inline(__always)
  package var scope: String? { details?.scope }

  private var details: Details? { stored?.details }

  private mutating func update(_ change: (inout Details) -> Void) {
    var details = self.details ?? Details()
    change(&details)
    details.scope = details.derivedScope
    stored = Stored(details)
  }
}

/// Names a value that a context can carry.
///
/// ```swift
/// enum Screen: OperationContextKey { static let defaultValue = "none" }
/// operation.context[Screen.self] = "settings"
/// ```
public protocol OperationContextKey {
  /// What is carried.
  associatedtype Value: Sendable
  /// What a context has that was not given one.
  static var defaultValue: Value { get }
}

extension OperationContext {
  /// What few executions set.
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

    /// Each part carries its length, so that no two scopes can be written alike.
    var derivedScope: String? {
      guard endpoint != nil || !headersInKey.isEmpty else { return nil }
      var parts = [endpoint?.absoluteString ?? ""]
      for name in headersInKey.map({ $0.lowercased() }).sorted() {
        parts += [name, headers[name] ?? ""]
      }
      return parts.map { "\($0.utf8.count):\($0)" }.joined()
    }
  }

  /// Shared by copies of a context, so that copying one is cheap.
  private final class Stored: Sendable {
    let details: Details

    init(_ details: Details) {
      self.details = details
    }
  }
}
