public import Weir

/// What a normalized cache has to know of an API, and how much it may keep.
///
/// The defaults suit an API whose objects have an `id`; everything else is declared:
///
/// ```swift
/// var configuration = NormalizedCacheConfiguration()
/// configuration.keys["Book"] = .field("isbn")
/// configuration.keys["Money"] = .embedded
/// ```
public struct NormalizedCacheConfiguration: Sendable {
  /// How to tell the objects of a type from each other, by the name of an object type, an interface
  /// or a union. What is said of the object type itself counts before what is said of an interface.
  /// Types that are not named here have the key `id`, or else `_id`.
  public var keys: [String: EntityKey] = [:]

  /// Types that share one space of keys, by type: objects of two types with one group and the same
  /// id are one entity.
  public var groups: [String: String] = [:]

  /// The server's schema. It makes type conditions exact, and says what lists may hold that they do not
  /// hold yet; without it both are learned from the responses.
  public var schema: GraphQLSchema?

  /// The object types of interfaces and unions, for who has no whole schema.
  public var possibleTypes: [String: Set<String>] = [:]

  /// What is known of single fields, by `Type.field`; see ``FieldPolicy``.
  public var fields: [String: FieldPolicy] = [:]

  /// What mutations do beyond what their results say, by the name of the field of the mutation
  /// root.
  ///
  /// A mutation that returns an entity the store did not have, and for which neither this nor
  /// ``memberships`` says anything, marks the lists of its type as stale.
  public var mutations: [String: MutationPolicy] = [:]

  /// Which entities belong into which lists.
  public var memberships: [ListMembership] = []

  /// Whether references to entities that are not there are left out of lists. Otherwise such a list
  /// is incomplete. Default false.
  public var dropsDangling = false

  /// How long the data of a type may be used after they were written, by the name of an object
  /// type, an interface or a union. What is said of a field (``FieldPolicy/timeToLive``) counts
  /// before it. Data without a time to live, their own or that of the response, never become stale
  /// by themselves. A watch is woken when the first of what it shows becomes stale: it shows the data
  /// as stale and fetches them again.
  public var timeToLive: [String: Duration] = [:]

  /// Whether responses say themselves how long they may be used, by `Cache-Control` and `Age`. It
  /// counts for what has no time to live of its own. Default false: many servers say `no-store` or
  /// `max-age=0` of every answer without meaning it.
  public var heedsCacheControl = false

  /// For how long after their time data still answer a `cacheFirst` query at once, marked as stale,
  /// while a request brings newer ones. Default zero: the query waits for the request.
  public var staleWhileRevalidate = Duration.zero

  /// For how long after their time data still stand beside the error of a `cacheFirst` query whose
  /// request has failed. Default zero: there are none then.
  public var staleIfError = Duration.zero

  /// How many operations' results are kept beside the records that they were made from, so that
  /// reading them again costs a comparison. Those that are watched are kept in any case.
  public var maximumResults = 1_000

  /// How much memory records and results may take together, in bytes. Beyond it, what was not used
  /// for the longest time is let go, but never what is watched, pinned
  /// (``NormalizedStore/pin(_:)``) or reachable from either, nor what has just been written; over a
  /// storage, nor what that does not have yet.
  /// Default 64 MB.
  public var maximumBytes = 64 << 20

  /// How much the store's storage may keep, in bytes of keys and values. Beyond it, what was not used
  /// for the longest time is removed there, but nothing that is watched or pinned here. Default nil:
  /// no bound.
  public var maximumStoredBytes: Int?

  /// How many records and root fields may wait to be saved. While there are more, what a server
  /// answers is not written before they are saved, so that a slow storage slows requests down instead
  /// of falling behind without end; a storage that fails does not. Hits, and what is written by hand,
  /// never wait. Default 20,000.
  public var maximumUnsavedRecords = 20_000

  /// Is told what is probably a mistake: objects without `__typename`, objects whose type has neither
  /// key nor policy. Each is told once. Called after the write, without a lock; nil by default.
  public var onDiagnostic: (@Sendable (StoreDiagnostic) -> Void)?

  /// Is told what the store's storage throws, once for each kind until it works again; meanwhile the
  /// store goes on in memory. Called from the storage's thread, without a lock; nil by default.
  public var onStorageError: (@Sendable (StorageError) -> Void)?

  /// The default configuration.
  public init() {}
}

extension NormalizedCacheConfiguration {
  /// The part that reading and writing records depends on.
  var policies: RecordPolicies {
    var policies = RecordPolicies()
    policies.keys = keys
    policies.groups = groups
    policies.schema = schema
    policies.possibleTypes = possibleTypes
    policies.fields = fields
    policies.memberships = memberships
    policies.dropsDangling = dropsDangling
    policies.timeToLive = timeToLive
    policies.reportsMissingKeys = onDiagnostic != nil
    return policies
  }
}
