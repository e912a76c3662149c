public import Weir

/// Describes an API to a normalized cache, and limits how much the cache keeps.
///
/// The defaults suit an API whose objects have an `id`. Declare everything else:
///
/// ```swift
/// var configuration = NormalizedCacheConfiguration()
/// configuration.keys["Book"] = .field("isbn")
/// configuration.keys["Money"] = .embedded
/// ```
public struct NormalizedCacheConfiguration: Sendable {
  /// How the objects of a type are distinguished, by the name of an object type, an interface or a
  /// union. A declaration for the object type takes precedence over one for an interface. Other
  /// types have the key under the name `*`, if there is one; without it `id`, otherwise `_id`.
  ///
  /// One closure for all types, as Apollo's `cacheKeyForObject`, is
  /// `keys["*"] = .computed { object in … }`.
  public var keys: [String: EntityKey] = [:]

  /// Types that share one key space: the name of the group, by the name of an object type, an
  /// interface or a union. Objects of two types in one group with the same id are one entity.
  public var groups: [String: String] = [:]

  /// Returns the group of an object type that ``groups`` does not name; nil for none. Called about
  /// once for each type, without a lock. It must always return the same for a name. Nil by default.
  public var groupOfType: (@Sendable (_ typename: String) -> String?)?

  /// The server's schema. It makes type conditions exact, and declares what lists may hold besides
  /// their current elements. Without it, the cache learns both from responses.
  public var schema: GraphQLSchema?

  /// The object types of interfaces and unions, if you do not have the entire schema.
  public var possibleTypes: [String: Set<String>] = [:]

  /// Declarations about single fields, by `Type.field`; see ``FieldPolicy``.
  public var fields: [String: FieldPolicy] = [:]

  /// The effects of mutations beyond their results, by the name of the field of the mutation root; also
  /// those of a subscription's events, by the name of the field of the subscription root.
  ///
  /// If a mutation returns an entity that is new to the store, the lists of its type are marked as
  /// stale, except those that ``memberships`` decide about, and those that a mutation of a single field
  /// returns itself. A ``MutationPolicy/update`` that does not throw replaces this for the entities in its
  /// own field. So does a ``MutationPolicy/refreshes`` that names a known field. A policy that has only an
  /// ``MutationPolicy/optimistic`` does not.
  public var mutations: [String: MutationPolicy] = [:]

  /// Which entities belong in which lists.
  public var memberships: [ListMembership] = []

  /// Whether references to entities that were removed, or that no response has contained, are left out
  /// of lists. If false, which is the default, such a list is incomplete. A list with references to evicted
  /// entities is incomplete in any case.
  ///
  /// A storage does not tell an entity that was removed from one that it has lost, for example because its
  /// value was damaged: after a restart, lists leave out both. If lists must not become shorter by that, set
  /// ``maximumStoredBytes`` as well, if need be to `Int.max`. Then such a list is incomplete, and requested
  /// again, as it may be for each entity that the storage lacks.
  public var dropsDangling = false

  /// How long the data of a type may be used after it was written, by the name of an object type,
  /// an interface or a union. A field's ``FieldPolicy/timeToLive`` takes precedence. Data without a
  /// time to live, of its own or from its response, never becomes stale by itself. A watch is
  /// notified when the first part of its result becomes stale: it shows the data as stale and
  /// refetches it. With a time to live of zero, each `cacheFirst` query sends a request and shows its
  /// response. A watch refetches only when something changes, and shows the change alone if its data
  /// expired less than a second ago: otherwise two watches could refetch because of each other without end.
  ///
  /// Data that was saved while the system's clock was far ahead has no known age. If it would stay fresh for
  /// a month more than twice the longest time to live, it is stale.
  public var timeToLive: [String: Duration] = [:]

  /// Whether the response headers `Cache-Control` and `Age` determine how long a query's data may be
  /// used, if it has no time to live of its own. False by default: many servers send `no-store` or
  /// `max-age=0` with every response without meaning it. Those of mutations and subscriptions do not
  /// count; limit their data by `OperationResult.retention`.
  public var heedsCacheControl = false

  /// For how long expired data may still answer a `cacheFirst` query immediately, marked as stale,
  /// while a request fetches newer data. Zero by default: the query waits for the request.
  public var staleWhileRevalidate = Duration.zero

  /// For how long expired data may still accompany the error of a `cacheFirst` query whose request
  /// has failed. Zero by default: the error comes without data.
  public var staleIfError = Duration.zero

  /// The minimum time between two refetches of a watched result because a subscription may have
  /// missed events (`Reconnection`). The default is 10 seconds. If connections are lost more often, the
  /// cache serves what it has until the time is over, and then refetches once.
  public var missedEventsInterval: Duration = .seconds(10)

  /// How many operations' results the cache keeps beside their records, so that reading them again
  /// costs only a comparison. Watched results are kept in any case. The default is 1,000.
  public var maximumResults = 1_000

  /// How much memory records and results may take together, in bytes. Beyond this, the cache evicts
  /// the data that was not used for the longest time. It never evicts data that is watched, pinned
  /// (``NormalizedStore/pin(_:)-(GraphQLOperation)``) or reachable from either, nor data that was just
  /// written, nor data that the storage, if there is one, has not saved yet and can save. A storage that is
  /// only suspended, busy or locked with the device can save it later, unless that is more than
  /// ``maximumUnsavedRecords``. The default is 64 MiB.
  public var maximumBytes = 64 << 20

  /// How many bytes of keys and values the storage may keep. Beyond this, the cache removes the
  /// data that was not used for the longest time from the storage, except data that is watched or
  /// pinned here. Nil by default: no limit.
  public var maximumStoredBytes: Int?

  /// How many records, root fields, and removals and invalidations by name may wait to be saved.
  /// While there are more, responses are not written until these are saved, so that a slow storage
  /// slows requests down instead of falling behind without limit. A storage that fails does not
  /// delay them; if it is suspended, busy or locked with the device, they are kept for it in spite of
  /// ``maximumBytes`` until all partitions together have more than this. Hits and writes by hand never wait. The
  /// default is 20,000.
  public var maximumUnsavedRecords = 20_000

  /// Called for probable mistakes in data, such as objects without `__typename`, in this
  /// configuration: names that the API does not have, and for a server that names more than 10,000
  /// types. With a ``schema``, names are checked when the store is created; without one, when an
  /// operation or a response contains a similar name.
  ///
  /// Each mistake is reported once, without a lock. Nil by default: a debug build then prints it to
  /// standard error, except objects without a key, which may be intended.
  public var onDiagnostic: (@Sendable (StoreDiagnostic) -> Void)?

  /// Called for errors of the storage: once for each kind, until it has saved something. Meanwhile
  /// the store continues in memory. Called on the storage's thread, without a lock. Nil by default: a
  /// debug build then prints it to standard error.
  public var onStorageError: (@Sendable (StorageError) -> Void)?

  /// How many types a server may name in a session; tests need fewer.
  var maximumTypes = RecordPolicies().maximumTypes
  /// How many shapes the plan of a document may have; tests need fewer.
  var maximumShapes = RecordPolicies().maximumShapes

  /// Creates the default configuration.
  public init() {}
}

extension NormalizedCacheConfiguration {
  /// The longest time to live of a type or a field; nil if there is none.
  var longestTimeToLive: Duration? {
    (Array(timeToLive.values) + fields.values.compactMap(\.timeToLive)).max()
  }

  /// The part that reading and writing records depends on.
  var policies: RecordPolicies {
    var policies = RecordPolicies()
    policies.keys = keys
    policies.groups = groups
    policies.groupOfType = groupOfType
    policies.schema = schema
    policies.possibleTypes = possibleTypes
    policies.fields = fields
    policies.memberships = memberships
    policies.dropsDangling = dropsDangling
    policies.timeToLive = timeToLive
    policies.reportsMissingKeys = onDiagnostic != nil
    policies.readsDiagnostics = StoreDiagnostic.isRead(by: self)
    if schema == nil, policies.readsDiagnostics {
      let names = declaredNames
      policies.unmetNames = names.isEmpty ? nil : UnmetNames(names)
    }
    policies.maximumTypes = maximumTypes
    policies.maximumShapes = maximumShapes
    return policies
  }
}
