public import Weir

extension StoreTransaction {
  /// Merges data that your code contains into an entity, which is created if it does not exist.
  ///
  /// ```swift
  /// try transaction.write(["name": "Beth"], for: card, of: Entity("Author", id: "7"))
  /// ```
  ///
  /// - Throws: ``StoreError``; `JSONError` if a number is not finite.
  public mutating func write(
    _ data: JSONValue, for fragment: GraphQLFragment, of entity: Entity
  ) throws {
    try write(try JSON(parsing: try data.canonicalBytes()), for: fragment, of: entity)
  }

  /// Merges data that your code contains into an entity; see ``write(_:for:of:)-(JSONValue,_,_)``. It
  /// need not fit the fragment's type: what is missing stays as it was.
  ///
  /// - Throws: ``StoreError``; `JSONError` if a number is not finite.
  @_disfavoredOverload  // A fragment whose type is `JSONValue` already takes one.
  public mutating func write<Data>(
    _ data: JSONValue, for fragment: Fragment<Data>, of entity: Entity
  ) throws {
    try write(data, for: fragment.untyped, of: entity)
  }
}
