/// The limits and options of a document cache.
public struct DocumentCacheConfiguration: Sendable {
  /// The largest number of results; the cache evicts the least recently used first. The default is
  /// 10,000. With 0, the cache stores nothing, but mutations still refresh watches.
  public var maximumCount = 10_000

  /// The largest number of bytes for responses, their variables and their index. The default is
  /// 64 MiB. Beside them, the cache keeps the plans of up to 1,000 documents, or of fewer if these take
  /// 32 MiB.
  ///
  /// As soon as the cache holds a sixteenth of that, or 1 MiB, it keeps only the text and the decoded
  /// value of small results that nobody watches. Their data is parsed again when it is read.
  public var maximumBytes = 64 << 20

  /// How long a result may be served as an answer after it was received. With nil, the default,
  /// there is no limit. ``OperationContext/maximumAge`` shortens the time for one execution,
  /// ``OperationResult/retention`` for one result. The end of the time does not wake a watch.
  ///
  /// Beside the error of ``RequestPolicy/networkFirst``, the cache serves a result however old; only
  /// ``OperationResult/retention`` limits that.
  public var timeToLive: Duration?

  /// Whether the cache stores data beside errors, and serves it with the errors. The default is
  /// false: the next execution sends a request.
  public var storesPartialResults = false

  /// Whether the events of a subscription invalidate the types that they contain, and not only
  /// ``OperationContext/additionalTypenames``. The default is false.
  ///
  /// Then every event with an object also invalidates the results with a field that came back empty and
  /// whose types the cache does not know. With a ``schema``, it knows all types.
  public var subscriptionsInvalidateByType = false

  /// The minimum time between two refetches of a watched result because a subscription may have
  /// missed events (``Reconnection``). The default is 10 seconds. If connections are lost more
  /// often, the cache serves what it has until the time is over, and then refetches once.
  public var missedEventsInterval: Duration = .seconds(10)

  /// The server's schema. With nil, the cache learns the types from responses.
  public var schema: GraphQLSchema?

  /// Creates a configuration with the defaults.
  public init() {}

  /// Up to how many bytes all results stay parsed.
  var bytesKeptParsed: Int { min(maximumBytes / 16, 1 << 20) }

  /// Whether the limits leave no room for a single result.
  var keepsNothing: Bool { maximumCount <= 0 || maximumBytes <= 0 }
}
