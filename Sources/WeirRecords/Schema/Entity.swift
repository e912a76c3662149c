/// Names an entity: its type and its id.
public struct Entity: Hashable, Sendable, CustomStringConvertible {
  /// The name of its object type, or of the group that its type belongs to.
  public var typename: String
  /// The text of its id; for keys of several fields the JSON array of their texts.
  public var id: String

  /// An entity with one field for a key; numbers are given as their digits.
  public init(_ typename: String, id: String) {
    self.typename = typename
    self.id = id
  }

  /// An entity whose key has several fields.
  public init(_ typename: String, ids: [String]) {
    self.typename = typename
    id =
      EntityKeyText.make(ids.map { Array($0.utf8) })
      .map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// Type and id, such as `Todo:1`.
  public var description: String { "\(typename):\(id)" }
}

extension Entity {
  /// Where queries begin.
  public static let query = Entity(root: .query)
  /// Where mutations begin.
  public static let mutation = Entity(root: .mutation)
  /// Where subscriptions begin.
  public static let subscription = Entity(root: .subscription)

  private init(root: RootType) {
    typename = root.key
    id = ""
  }
}
