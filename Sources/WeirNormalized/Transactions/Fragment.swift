public import Weir

/// A fragment whose data have a type of yours, to read and write single entities with.
///
/// ```swift
/// let card = try Fragment<Card>("fragment Card on Author { id name }")
/// let ada = Entity("Author", id: "7")
/// let author: Card? = try store.read(card, of: ada)
/// try store.update(card, of: ada) { $0.name = "Beth" }
/// ```
public struct Fragment<Data: Decodable & Sendable>: Sendable {
  /// The same without the type.
  public let untyped: GraphQLFragment

  /// Gives a fragment's data a type.
  public init(_ fragment: GraphQLFragment) {
    untyped = fragment
  }

  /// Parses a fragment, and others that it uses.
  ///
  /// - Parameters:
  ///   - text: one fragment definition, or several of which the first is meant.
  ///   - variables: values for the variables that occur in it.
  /// - Throws: ``StoreError`` with the code `fragment` if the text is no fragment.
  public init(_ text: String, variables: JSONValue = [:]) throws(StoreError) {
    untyped = try GraphQLFragment(text, variables: variables)
  }
}

extension NormalizedStore {
  /// What a fragment selects of an entity, decoded, if everything is there; else nil. What has not
  /// changed since it was read last is not decoded again.
  ///
  /// - Throws: `OperationError` with the code `decoding` if the data do not fit the type.
  public func read<Data>(
    _ fragment: Fragment<Data>, of entity: Entity
  ) throws(OperationError) -> Data? {
    try result(of: ReadTarget(fragment.untyped, of: entity, catalog))?.decoded(as: Data.self)
  }

  /// Reads what a fragment selects of an entity, lets `change` change it, and writes it back in one
  /// step; see ``StoreTransaction/update(_:of:_:)-(GraphQLFragment,_,_)``.
  ///
  /// - Throws: ``StoreError``; what `change` throws.
  public func update<Data: Encodable>(
    _ fragment: Fragment<Data>, of entity: Entity, _ change: (inout Data) throws -> Void
  ) throws {
    try update { transaction in try transaction.update(fragment, of: entity, change) }
  }
}

extension StoreTransaction {
  /// What a fragment selects of an entity, decoded, if everything is there; else nil.
  ///
  /// - Throws: `JSONDecodingError` or `DecodingError` if the data do not fit the type.
  public borrowing func read<Data>(
    _ fragment: Fragment<Data>, of entity: Entity
  ) throws -> Data? {
    try read(fragment.untyped, of: entity)?.decode(Data.self)
  }

  /// Merges data of your own type into an entity, which is made if it is not there. The names of
  /// types within are taken from what the store has at the same places. What is nil, and what the type
  /// does not have, is as with ``write(_:for:_:)``.
  ///
  /// - Throws: ``StoreError`` with the code `noTypename` if the type of an object cannot be told, with
  ///   `incompleteType` if it cannot be told which object's fields are to be kept.
  public mutating func write<Data: Encodable>(
    _ data: Data, for fragment: Fragment<Data>, of entity: Entity
  ) throws {
    let shown = read(fragment.untyped, of: entity, allowsPartial: true)?.value
    try write(
      completed(data, shown: shown, old: nil, for: fragment.untyped, of: entity),
      for: fragment.untyped, of: entity)
  }

  /// Reads what a fragment selects, lets `change` change it, and writes it back. What is nil, and
  /// what the type does not have, is as with ``update(_:_:_:)``.
  ///
  /// - Throws: ``StoreError`` with the code `missing` if something is not there, with `noTypename`
  ///   if the type of an object that `change` has added cannot be told, with `incompleteType` if the
  ///   type lacks selected fields of an object that is new, or that cannot be told from others; what
  ///   `change` throws.
  public mutating func update<Data: Encodable>(
    _ fragment: Fragment<Data>, of entity: Entity, _ change: (inout Data) throws -> Void
  ) throws {
    guard let shown = read(fragment.untyped, of: entity) else {
      throw StoreError(.missing, "Something that the fragment selects is not in the store.")
    }
    var data = try shown.decode(Data.self)
    let old = try JSONValue(encodingNils: data)
    try change(&data)
    try write(
      completed(data, shown: shown.value, old: old, for: fragment.untyped, of: entity),
      for: fragment.untyped, of: entity)
  }

  private func completed(
    _ data: some Encodable, shown: JSONValue?, old: JSONValue?, for fragment: GraphQLFragment,
    of entity: Entity
  ) throws -> JSON {
    var value = try JSONValue(encodingNils: data)
    if case .object(var object) = value, let name = shown?["__typename"] {
      object["__typename"] = object["__typename"] ?? name
      value = .object(object)
    }
    let name = value["__typename"]?.string
    guard let type = type(of: entity, named: name, fragment) else {
      throw StoreError(.noKey, "An entity needs a type and an id.")
    }
    var typed = TypedData(
      fragment.bindings(catalog), records, isUpdate: old != nil,
      withoutNils: { try? JSONValue(encoding: data) })
    return try typed.complete(value, type, isRoot: false, shown: shown, old: old)
  }
}

// MARK: - Queries without variables

extension NormalizedStore {
  /// The data of a query without variables, decoded; see ``read(_:_:)``.
  ///
  /// - Throws: `OperationError` with the code `decoding` if the data do not fit the type.
  public func read<Data>(_ query: Query<Data, NoVariables>) throws(OperationError) -> Data? {
    try read(query, NoVariables())
  }

  /// Changes the data of a query without variables; see ``update(_:_:_:)``.
  ///
  /// - Throws: ``StoreError``; what `change` throws.
  public func update<Data: Encodable>(
    _ query: Query<Data, NoVariables>, _ change: (inout Data) throws -> Void
  ) throws {
    try update(query, NoVariables(), change)
  }
}

extension StoreTransaction {
  /// The data of a query without variables, decoded; see ``read(_:_:)``.
  ///
  /// - Throws: `JSONDecodingError` or `DecodingError` if the data do not fit the type.
  public borrowing func read<Data>(_ query: Query<Data, NoVariables>) throws -> Data? {
    try read(query, NoVariables())
  }

  /// Writes the data of a query without variables; see ``write(_:for:_:)``.
  ///
  /// - Throws: ``StoreError`` with the code `noTypename` if the type of an object cannot be told.
  public mutating func write<Data: Encodable>(
    _ data: Data, for query: Query<Data, NoVariables>
  ) throws {
    try write(data, for: query, NoVariables())
  }

  /// Changes the data of a query without variables; see ``update(_:_:_:)``.
  ///
  /// - Throws: ``StoreError``; what `change` throws.
  public mutating func update<Data: Encodable>(
    _ query: Query<Data, NoVariables>, _ change: (inout Data) throws -> Void
  ) throws {
    try update(query, NoVariables(), change)
  }
}
