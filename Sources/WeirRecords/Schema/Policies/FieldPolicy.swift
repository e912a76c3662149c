public import Weir

/// Declares properties of a field.
public struct FieldPolicy: Sendable {
  /// The arguments that distinguish values of the field; nil for all. All arguments are sent to the
  /// server.
  public var keyArguments: Set<String>?
  /// Computes the field's value from other fields of the record.
  public var computed: ComputedField?
  /// Declares that the field's values are pages of one list; see ``connection(filter:shows:)``,
  /// ``offsetPages(offset:limit:filter:shows:)`` and
  /// ``tokenPages(items:token:argument:limit:filter:shows:)``. The arguments that it names count
  /// instead of ``keyArguments``.
  public var pages: PagePolicy?
  /// How long the field's value may be used after it was written; nil to use its type's time to
  /// live.
  public var timeToLive: Duration?

  /// The entities that the field's arguments identify. The field can then be read before a server
  /// was asked for it.
  public var redirect: EntityRedirect?

  /// Declares that an argument of the field is the id of the entity that it returns, or a list of ids:
  /// `configuration.fields["Query.todo"] = .redirecting(to: "Todo", idFrom: "id")`.
  ///
  /// - Parameters:
  ///   - typename: the type of the entity, or its group. If it is an interface or a union whose types are
  ///     known, the field is redirected to the entity of any of these types that is there. Declare it only if ids
  ///     are unique among these types: until another entity with the id is in the cache, too, the one that
  ///     is there is served, and from then on none. Looking for it takes time in proportion to the number of types.
  ///   - argument: the argument, or the path to a value within an input object, such as `where.id`.
  /// - Returns: a policy that declares nothing else.
  public static func redirecting(to typename: String, idFrom argument: String) -> FieldPolicy {
    redirecting(to: typename, idsFrom: [argument])
  }

  /// Declares that arguments of the field together are the key of the entity that it returns:
  /// `configuration.fields["Query.seat"] = .redirecting(to: "Seat", idsFrom: ["row", "number"])`.
  ///
  /// - Parameters:
  ///   - typename: the type of the entity, as for ``redirecting(to:idFrom:)``.
  ///   - arguments: the arguments, or paths such as `where.row`, in the order in which
  ///     ``EntityKey/fields(_:)`` names the key's fields.
  /// - Returns: a policy that declares nothing else.
  public static func redirecting(
    to typename: String, idsFrom arguments: [String]
  ) -> FieldPolicy {
    var policy = FieldPolicy()
    policy.redirect = EntityRedirect(typename: typename, arguments: arguments)
    return policy
  }

  /// Creates a policy that declares nothing.
  public init() {}
}

/// The entities that a field's arguments identify.
public struct EntityRedirect: Hashable, Sendable {
  /// The name of the entities' type, or of its group.
  public let typename: String
  /// The argument that is an id or a list of ids, or the arguments that together form one key. A path such as
  /// `where.id` names a value within an argument.
  public let arguments: [String]
}

/// A field whose value is computed when it is read.
///
/// An operation that selects the field is sent as it is, so a server that does not have the field rejects
/// it. Use the name of a field that the server has, or read the field from the store, with a fragment or
/// with an operation that is not sent.
public struct ComputedField: Sendable {
  /// The fields of the same object that the closure receives. A field that the store does not have
  /// is absent, so queries should select these fields, too.
  public let dependencies: [String]
  /// Computes the value.
  public let value: @Sendable (JSON) -> JSONValue

  /// Creates a field that is computed from others.
  public init(from dependencies: [String], value: @escaping @Sendable (JSON) -> JSONValue) {
    self.dependencies = dependencies
    self.value = value
  }
}
