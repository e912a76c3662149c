public import Weir

/// Which entities belong into a list, in every variant of its arguments that is cached.
///
/// ```swift
/// configuration.memberships.append(
///   ListMembership(of: "Post", in: "Query.posts") { post, arguments in
///     post["isDraft"] == .bool(false) && arguments["author"] == post["authorID"]
///   })
/// ```
///
/// It is asked for each entity that a mutation, a subscription, an optimistic result, a transaction or
/// ``NormalizedStore/write(_:for:)-(JSON,_)`` has written; never for what a query brings. A page of a
/// connection takes an entity in where it is known to stand: between two others, or at an end behind
/// which `pageInfo` says there is nothing; and only if its edges hold nothing but their node.
/// Otherwise it is marked as stale, and so is one that has other fields, which may count its elements.
public struct ListMembership: Sendable {
  /// The name of the entities' type.
  public let typename: String
  /// The list, as `Type.field`.
  public let field: String
  /// Whether an entity belongs into the list of a field with these arguments; nil if that cannot
  /// be told, which marks the list as stale, also one that was just written by hand with the entity in
  /// it. It is given the entity's plain fields.
  public let includes: @Sendable (_ entity: JSONValue, _ arguments: JSONValue) -> Bool?
  /// Whether an entity stands before another one; nil puts new ones at the end.
  public let precedes: (@Sendable (_ entity: JSONValue, _ other: JSONValue) -> Bool)?

  /// Declares a membership.
  ///
  /// - Parameters:
  ///   - typename: the name of the entities' type.
  ///   - field: the list, as `Type.field`; for lists of the root `Query.field`.
  ///   - precedes: the list's order; nil puts new entities at the end.
  ///   - includes: whether an entity belongs into the list of a field with these arguments.
  public init(
    of typename: String, in field: String,
    orderedBy precedes: (@Sendable (JSONValue, JSONValue) -> Bool)? = nil,
    includes: @escaping @Sendable (_ entity: JSONValue, _ arguments: JSONValue) -> Bool?
  ) {
    self.typename = typename
    self.field = field
    self.includes = includes
    self.precedes = precedes
  }
}
