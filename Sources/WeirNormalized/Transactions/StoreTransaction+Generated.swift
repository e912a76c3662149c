public import Weir

// Reads and writes with types that were generated from documents. Such types write the names of
// object types themselves.

extension StoreTransaction {
  /// Returns the decoded data of a query if everything that it selects is there; otherwise nil.
  ///
  /// - Throws: `JSONDecodingError` if the data does not fit the type; its text may quote a value.
  public borrowing func read<Query: GeneratedQuery>(_ query: Query) throws -> Query.Data? {
    try read(query.operation())?.decode(Query.Data.self)
  }

  /// Writes data as if a server had sent it. Nil is written as null, except for what the operation
  /// selects under a condition.
  ///
  /// - Throws: ``StoreError`` with the code `conflictingParts` if two fragments of one object have
  ///   different values for one field; `JSONEncodingError` if the data cannot be encoded. Then nothing is
  ///   written.
  public mutating func write<Query: GeneratedQuery>(
    _ data: Query.Data, for query: Query
  ) throws {
    try write(selection: data, to: ReadTarget(inCurrentSession: query.operation()))
  }

  /// Reads the data of a query, lets `change` modify it, and writes it back.
  ///
  /// If a field is shown by several fragments, changing one of them is enough.
  ///
  /// - Throws: ``StoreError`` with the code `missing` if some of the data is not there, with
  ///   `conflictingParts` if `change` has set a field to different values in two fragments;
  ///   `JSONDecodingError`, whose text may quote a value, if what is there does not fit the type;
  ///   `JSONEncodingError` if the data cannot be encoded. Then nothing is written. The error of `change`.
  public mutating func update<Query: GeneratedQuery>(
    _ query: Query, _ change: (inout Query.Data) throws -> Void
  ) throws {
    try update(selection: ReadTarget(inCurrentSession: query.operation()), change)
  }

  /// Returns the decoded fields of an entity if they are all there; otherwise nil.
  ///
  /// - Throws: `JSONDecodingError` if the data does not fit the type; its text may quote a value.
  public borrowing func read<Data: FragmentData>(
    _ type: Data.Type, of entity: Entity
  ) throws -> Data? {
    try read(type.fragment(), of: entity)
  }

  /// Merges data into an entity, which is created if it does not exist; see
  /// ``write(_:for:)-(JSON,_)``.
  ///
  /// - Throws: ``StoreError`` with the code `conflictingParts`; `JSONEncodingError`.
  public mutating func write(_ data: some FragmentData, of entity: Entity) throws {
    try write(selection: data, to: target(Swift.type(of: data), entity))
  }

  /// Reads the fields of an entity, lets `change` modify them, and writes them back; see
  /// ``update(_:_:)-(GraphQLOperation,_)``.
  ///
  /// - Throws: ``StoreError`` with the code `missing` if a field is not there, with
  ///   `conflictingParts` if `change` has set a field to different values in two fragments;
  ///   `JSONDecodingError`, whose text may quote a value, and `JSONEncodingError`; the error of `change`.
  public mutating func update<Data: FragmentData>(
    _ type: Data.Type, of entity: Entity, _ change: (inout Data) throws -> Void
  ) throws {
    try update(selection: target(type, entity), change)
  }

  private func target<Data: FragmentData>(
    _ type: Data.Type, _ entity: Entity
  ) throws(StoreError) -> ReadTarget {
    ReadTarget(try type.fragment().untyped, of: entity, catalog)
  }

  private mutating func write(
    selection data: some SelectionData, to target: ReadTarget
  ) throws {
    let shown = read(target, allowsPartial: true)?.value
    let value = try checkingParts { try JSONValue(selection: data) }
    try write(completed(value, shown: shown, for: target), to: target)
  }

  private mutating func update<Data: SelectionData>(
    selection target: ReadTarget, _ change: (inout Data) throws -> Void
  ) throws {
    let shown = try readAll(target)
    var data = try shown.data.decode(Data.self)
    let old = try JSONValue(selection: data)
    try change(&data)
    let omitted = OmittedMembers()
    let new = try checkingParts { try JSONValue(selection: data, old: old, omitted: omitted) }
    let whole = try completed(
      new, shown: shown.data.value, old: old, omitted: omitted, for: target)
    try write(whole, to: target, updating: shown)
  }

  private borrowing func checkingParts(_ encode: () throws -> JSONValue) throws -> JSONValue {
    do {
      return try encode()
    } catch let error as JSONEncodingError where error.reason == .conflictingParts {
      throw StoreError(.conflictingParts, "Nothing was written. \(error)")
    }
  }
}
