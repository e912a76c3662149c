public import Weir

/// Declares which entities belong in a list, for every object that has the field and every cached variant of
/// its arguments.
///
/// ```swift
/// configuration.memberships.append(
///   ListMembership(of: "Post", in: "Query.posts") { post, arguments in
///     post["isDraft"] == .bool(false) && arguments["author"] == post["authorID"]
///   })
/// ```
///
/// The closure is called for each entity that a mutation, a subscription, an optimistic result, a
/// transaction or ``NormalizedStore/write(_:for:)-(JSON,_)`` has written, but never for the results of
/// queries. An entity is added to a page of a connection only where its position is known: between
/// two others, or at an end beyond which `pageInfo` reports nothing. The page's edges must contain
/// nothing but their node. Otherwise the page is marked as stale; so is a page with other fields, which
/// may count its elements, and a list of lists.
///
/// A list of a type other than the root is one list for each object of that type, and the closure is called
/// for all of them. Compare the object, the third parameter:
///
/// ```swift
/// configuration.memberships.append(
///   ListMembership(of: "Comment", in: "Post.comments") { comment, _, post in
///     guard let post, let parent = comment["post"]?["id"] else { return nil }
///     return parent == .string(post.id)
///   })
/// ```
///
/// Return nil, not false, if the closure cannot decide: otherwise a comment whose `post` is not cached leaves its
/// list as soon as a mutation changes anything of it.
///
/// An order by date compares dates, because their strings sort wrongly if they differ in form, such as
/// `10:00:21.345Z` and `10:00:21Z`:
///
/// ```swift
/// configuration.memberships.append(
///   ListMembership(
///     of: "Message", in: "Query.messages",
///     orderedBy: { ($0["sentAt"]?.date ?? .distantPast) > ($1["sentAt"]?.date ?? .distantPast) },
///     includes: { _, _ in true }))
/// ```
public struct ListMembership: Sendable {
  /// The name of the entities' type: an object type, an interface, or a union.
  public let typename: String
  /// The list, as `Type.field`.
  public let field: String
  /// Returns whether an entity belongs in the list of a field with these arguments, of this parent. The
  /// closure receives the entity's plain fields. Nil means undecided: the list is then marked as stale,
  /// even if it was just written by hand with the entity in it.
  public let includes:
    @Sendable (_ entity: JSONValue, _ arguments: JSONValue, _ parent: Entity?) -> Bool?
  /// Returns whether an entity comes before another one. If nil, new entities go at the end.
  public let precedes: (@Sendable (_ entity: JSONValue, _ other: JSONValue) -> Bool)?

  /// Declares a membership that depends on the entity and the list's arguments alone. In a list of a type
  /// other than the root, the entity then belongs to the lists of all objects of that type, or of none.
  ///
  /// - Parameters:
  ///   - typename: the name of the entities' type; an interface or union if the cache knows its types.
  ///   - field: the list, as `Type.field`; for lists of the root, `Query.field`.
  ///   - precedes: the list's order. If nil, new entities go at the end.
  ///   - includes: whether an entity belongs in the list of a field with these arguments.
  public init(
    of typename: String, in field: String,
    orderedBy precedes: (@Sendable (JSONValue, JSONValue) -> Bool)? = nil,
    includes: @escaping @Sendable (_ entity: JSONValue, _ arguments: JSONValue) -> Bool?
  ) {
    self.init(of: typename, in: field, orderedBy: precedes) { entity, arguments, _ in
      includes(entity, arguments)
    }
  }

  /// Declares a membership in lists that each object of a type has of its own, such as the comments of a post.
  ///
  /// - Parameters:
  ///   - typename: the name of the entities' type; an interface or union if the cache knows its types.
  ///   - field: the list, as `Type.field`.
  ///   - precedes: the list's order. If nil, new entities go at the end.
  ///   - includes: whether an entity belongs in the list of a field with these arguments. `parent` is the
  ///     object that has the field, with the name of its group if it is in one; nil for the root, and for
  ///     an object without a key.
  public init(
    of typename: String, in field: String,
    orderedBy precedes: (@Sendable (JSONValue, JSONValue) -> Bool)? = nil,
    includes:
      @escaping @Sendable (
        _ entity: JSONValue, _ arguments: JSONValue, _ parent: Entity?
      ) -> Bool?
  ) {
    self.typename = typename
    self.field = field
    self.includes = includes
    self.precedes = precedes
  }
}
