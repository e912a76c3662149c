public import Weir

extension NormalizedStore {
  /// The data of a query, decoded, if everything that it selects is there; else nil.
  ///
  /// What has not changed since it was read last is not decoded again, and an entity that the result
  /// shows several times with the same fields is decoded once: its places have the same value, which
  /// is the same instance if the type is a class.
  ///
  /// - Throws: `OperationError` with the code `decoding` if the data do not fit the type.
  public func read<Data, Variables>(
    _ query: Query<Data, Variables>, _ variables: Variables
  ) throws(OperationError) -> Data? {
    try result(of: query.operation(variables).ofAnySession)?.decoded(as: Data.self)
  }

  /// Reads the data of a query, lets `change` change them, and writes them back in one step; see
  /// ``StoreTransaction/update(_:_:_:)``.
  ///
  /// - Throws: ``StoreError``; what `change` throws.
  public func update<Data: Encodable, Variables>(
    _ query: Query<Data, Variables>, _ variables: Variables,
    _ change: (inout Data) throws -> Void
  ) throws {
    try update { transaction in try transaction.update(query, variables, change) }
  }
}

extension StoreTransaction {
  /// The data of a query, decoded, if everything that it selects is there; else nil.
  ///
  /// - Throws: `JSONDecodingError` or `DecodingError` if the data do not fit the type.
  public borrowing func read<Data, Variables>(
    _ query: Query<Data, Variables>, _ variables: Variables
  ) throws -> Data? {
    try read(query.operation(variables))?.decode(Data.self)
  }

  /// Writes data of your own type as if a server had sent them.
  ///
  /// The types' names are usually no part of such data; they are taken from what the store has at
  /// the same places, and for elements of lists from the element with the same key, or from all
  /// of them if they are of one type.
  ///
  /// Optional members that are nil are written as null. Fields that are selected but that the type
  /// does not have stay what they are in the store: those of the object with the same key, or of the
  /// only one in that place. Elements of a list that cannot be told from each other by a key are an
  /// error if the type lacks any of their fields, and so is an object whose key is nil in the place of
  /// one that has a key. A type that writes its own `encode(to:)` must write null for nil.
  ///
  /// - Throws: ``StoreError`` with the code `noTypename` if the type of an object cannot be told, with
  ///   `incompleteType` if it cannot be told which object's fields are to be kept. Then nothing was
  ///   written.
  public mutating func write<Data: Encodable, Variables>(
    _ data: Data, for query: Query<Data, Variables>, _ variables: Variables
  ) throws {
    let operation = query.operation(variables)
    let shown = read(operation, allowsPartial: true)?.value
    let value = try JSONValue(encodingNils: data)
    try write(
      completed(value, shown: shown, for: operation) { try? JSONValue(encoding: data) },
      for: operation)
  }

  /// Reads the data of a query, lets `change` change them, and writes them back.
  ///
  /// Optional members that `change` sets to nil become null. Fields that the query selects but that
  /// the type does not have keep what the store has for the same object: the one with the same key;
  /// if the type has no key, or there is none, the element of the list that was equal before, or, if
  /// the list is as long as before, the one at the same position. Whatever else is a new object, to
  /// which the type must have all that is selected, unless the store knows it by its key. It is an
  /// error, too, to set the key of an object to nil.
  ///
  /// - Throws: ``StoreError`` with the code `missing` if something is not there, with `noTypename`
  ///   if the type of an object that `change` has added cannot be told, with `incompleteType` if the
  ///   type lacks selected fields of an object that is new, or that cannot be told from others, in
  ///   which case nothing was written; what `change` throws.
  public mutating func update<Data: Encodable, Variables>(
    _ query: Query<Data, Variables>, _ variables: Variables,
    _ change: (inout Data) throws -> Void
  ) throws {
    let operation = query.operation(variables)
    guard let shown = read(operation) else {
      throw StoreError(.missing, "Something that the query selects is not in the store.")
    }
    var data = try shown.decode(Data.self)
    let old = try JSONValue(encodingNils: data)
    try change(&data)
    let new = try JSONValue(encodingNils: data)
    try write(
      completed(new, shown: shown.value, old: old, for: operation) {
        try? JSONValue(encoding: data)
      }, for: operation)
  }

  /// Data of a user's type as they are to be written; see ``TypedData``.
  func completed(
    _ data: JSONValue, shown: JSONValue? = nil, old: JSONValue? = nil,
    for operation: GraphQLOperation, withoutNils: @escaping () -> JSONValue? = { nil }
  ) throws -> JSON {
    var typed = TypedData(
      operation.bindings(catalog), records, isUpdate: old != nil, withoutNils: withoutNils)
    let type = RootType(operation.kind).type
    return try typed.complete(data, type, isRoot: true, shown: shown, old: old)
  }
}

extension JSONValue {
  /// Encodes a value with null for what is nil, so that what is missing is what the type does not have.
  init(encodingNils value: some Encodable) throws {
    var options = JSONEncodeOptions(sortsKeys: false)
    options.writesNil = true
    try self.init(encoding: value, options: options)
  }
}
