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

/// Something about data that is probably a mistake, of the server or of the configuration.
public struct StoreDiagnostic: Hashable, Sendable, CustomStringConvertible {
  /// What kind of mistake.
  public enum Code: Hashable, Sendable {
    /// A field has a value that is no object, although fields of it are selected.
    case noObject
    /// An object has no `__typename`, and no schema says what it is.
    case noTypename
    /// An object cannot be told from others of its type: it is kept with the field that it is the
    /// value of. Select its `id`, or say in ``NormalizedCacheConfiguration/keys`` what its key is,
    /// or that it is embedded.
    case noKey
  }

  /// What kind of mistake.
  public let code: Code
  /// A sentence for a developer; never holds data.
  public let message: String

  /// The message.
  public var description: String { message }
}

/// How to tell the objects of a type from each other.
public enum EntityKey: Sendable {
  /// By these fields, all of which must be selected; otherwise the object is embedded.
  case fields([String])
  /// By a closure that is given the object, its fields under their own names whatever their aliases;
  /// nil stands for an object without key. It runs for every object of the type in every response,
  /// never under a lock.
  case computed(@Sendable (JSON) -> String?)
  /// Not at all: such objects belong to the field that they are the value of.
  case embedded

  /// By one field.
  public static func field(_ name: String) -> EntityKey { .fields([name]) }
}

/// What is known of one field.
public struct FieldPolicy: Sendable {
  /// The arguments that make two values of the field different ones; nil for all. The names of the
  /// others still reach the server.
  public var keyArguments: Set<String>?
  /// Makes the field's value from other fields of the record.
  public var computed: ComputedField?
  /// Says that the field's values are pages of one list; see
  /// ``connection(filter:shows:)`` and ``offsetPages(offset:limit:filter:shows:)``. The arguments
  /// that it names count in place of ``keyArguments``.
  public var pages: PagePolicy?
  /// How long the field's value may be used after it was written; nil for as long as its type's.
  public var timeToLive: Duration?

  /// Which entities the field's arguments name, so that it can be read before anybody has asked a
  /// server for it.
  public var redirect: EntityRedirect?

  /// A field whose argument is the id of the entity that it returns, or a list of ids:
  /// `configuration.fields["Query.todo"] = .redirecting(to: "Todo", idFrom: "id")`.
  public static func redirecting(to typename: String, idFrom argument: String) -> FieldPolicy {
    redirecting(to: typename, idsFrom: [argument])
  }

  /// A field whose arguments together are the key of the entity that it returns, in the order in
  /// which ``EntityKey/fields(_:)`` names the key's fields:
  /// `configuration.fields["Query.seat"] = .redirecting(to: "Seat", idsFrom: ["row", "number"])`.
  public static func redirecting(
    to typename: String, idsFrom arguments: [String]
  ) -> FieldPolicy {
    var policy = FieldPolicy()
    policy.redirect = EntityRedirect(typename: typename, arguments: arguments)
    return policy
  }

  /// A policy that says nothing.
  public init() {}
}

/// Which entities a field's arguments name.
public struct EntityRedirect: Hashable, Sendable {
  /// The name of the entities' object type, or of their group.
  public let typename: String
  /// The argument that is an id or a list of ids, or the arguments that are the parts of one.
  public let arguments: [String]
}

/// A field whose value is made on reading.
public struct ComputedField: Sendable {
  /// The fields of the same object that the closure is given. One that the store does not have is
  /// absent there, so queries should select them, too.
  public let dependencies: [String]
  /// Makes the value.
  public let value: @Sendable (JSON) -> JSONValue

  /// A field that is made from others.
  public init(from dependencies: [String], value: @escaping @Sendable (JSON) -> JSONValue) {
    self.dependencies = dependencies
    self.value = value
  }
}

extension NormalizedCacheConfiguration {
  /// What is said of a type, or of an interface or a union that it belongs to.
  func key(of typename: String) -> EntityKey? {
    if let own = keys[typename] { return own }
    for (name, key) in keys.sorted(by: { $0.key < $1.key }) where isType(typename, within: name) {
      return key
    }
    return nil
  }

  func policy(of field: String, on typename: String) -> FieldPolicy? {
    guard !fields.isEmpty else { return nil }
    if let own = fields["\(typename).\(field)"] { return own }
    for (name, policy) in fields.sorted(by: { $0.key < $1.key }) {
      let parts = name.split(separator: ".", maxSplits: 1)
      if parts.count == 2, parts[1] == field, isType(typename, within: String(parts[0])) {
        return policy
      }
    }
    return nil
  }

  func isType(_ typename: String, within abstract: String) -> Bool {
    possibleTypes[abstract]?.contains(typename)
      ?? schema.map { $0.knows(abstract) && $0.possibleTypes(of: abstract).contains(typename) }
      ?? false
  }
}
