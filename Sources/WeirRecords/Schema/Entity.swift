import Weir

/// Identifies an entity by its type and its id, which are compared byte by byte.
public struct Entity: Hashable, Sendable, CustomStringConvertible {
  /// The name of the entity's object type, or of the group that the type belongs to.
  public var typename: String
  /// The text of the entity's id. For keys of several fields, the JSON array of their texts.
  public var id: String

  /// Creates a reference to an entity whose key is one field. Pass a number as its digits.
  public init(_ typename: String, id: String) {
    self.typename = typename
    self.id = id
  }

  /// Creates a reference to an entity whose key has several fields.
  public init(_ typename: String, ids: [String]) {
    self.typename = typename
    id =
      EntityKeyText.make(ids.map { Array($0.utf8) })
      .map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// The type and the id, such as `Todo:1`.
  public var description: String { "\(typename):\(id)" }

  /// Returns whether both have the same type and the same id.
  public static func == (left: Entity, right: Entity) -> Bool {
    ExactString(left.id) == ExactString(right.id)
      && ExactString(left.typename) == ExactString(right.typename)
  }
}

extension Entity {
  /// The root of queries.
  public static let query = Entity(RootType.query.key, id: "")
  /// The root of mutations.
  public static let mutation = Entity(RootType.mutation.key, id: "")
  /// The root of subscriptions.
  public static let subscription = Entity(RootType.subscription.key, id: "")
}
