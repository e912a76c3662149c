/// How much a document cache keeps, and for how long.
public struct DocumentCacheConfiguration: Sendable {
  /// How many results are kept; the least recently used go first. Default 10,000. With 0, nothing
  /// is, and watches still follow what mutations invalidate.
  public var maximumCount = 10_000

  /// How many bytes of responses, with what indexes them, are kept. Default 64 MiB.
  public var maximumBytes = 64 << 20

  /// How long a result may be served after it was received; nil, the default, for as long as it is
  /// kept. ``OperationContext/maximumAge`` narrows it for one execution.
  public var timeToLive: Duration?

  /// Whether data that came beside errors are kept and replayed with them. Default false: the next
  /// execution asks again.
  public var storesPartialResults = false

  /// Whether a subscription's events invalidate by the types that they contain, and not only by
  /// ``OperationContext/additionalTypenames``. Default false.
  public var subscriptionsInvalidateByType = false

  /// What the server's types are, if that is known; otherwise they are learned from responses.
  public var schema: GraphQLSchema?

  /// The defaults.
  public init() {}

  /// Whether there is no room for even one result.
  var keepsNothing: Bool { maximumCount <= 0 || maximumBytes <= 0 }
}
