public import Weir

extension StoreTransaction {
  /// Returns the decoded data of a query if everything that it selects is there; otherwise nil.
  ///
  /// - Throws: `JSONDecodingError` if the data does not fit the type; its text may quote a value.
  public borrowing func read<Data, Variables>(
    _ query: Query<Data, Variables>, _ variables: Variables
  ) throws -> Data? {
    try read(query.operation(variables))?.decode(Data.self)
  }

  /// Returns the decoded data of a query without variables; see ``read(_:_:)``.
  ///
  /// - Throws: `JSONDecodingError` if the data does not fit the type; its text may quote a value.
  public borrowing func read<Data>(_ query: Query<Data, NoVariables>) throws -> Data? {
    try read(query, NoVariables())
  }

  /// Writes data of your own type as if a server had sent it.
  ///
  /// Such data usually lacks the names of types. They are taken from what the store has at the same
  /// places; for an element of a list from the element with the same key, or from all elements if they
  /// have one type.
  ///
  /// Optional members that are nil are written as null. Selected fields that the type does not have keep
  /// their values in the store: those of the object with the same key, or of the only object in that
  /// place. It is an error if the type lacks selected fields of list elements that no key tells apart, and
  /// if the key of an object is nil where the store has an object with a key. A type that implements
  /// `encode(to:)` must write null for nil.
  ///
  /// - Throws: ``StoreError`` with the code `noTypename` if the type of an object is unknown, with
  ///   `incompleteType` if it is unclear which object's fields are to be kept; `JSONEncodingError` if the
  ///   data cannot be encoded. Then nothing is written.
  public mutating func write<Data: Encodable, Variables>(
    _ data: Data, for query: Query<Data, Variables>, _ variables: Variables
  ) throws {
    try write(encoding: data, to: ReadTarget(inCurrentSession: query.operation(variables)))
  }

  /// Writes the data of a query without variables; see ``write(_:for:_:)``.
  ///
  /// - Throws: As ``write(_:for:_:)``.
  public mutating func write<Data: Encodable>(
    _ data: Data, for query: Query<Data, NoVariables>
  ) throws {
    try write(data, for: query, NoVariables())
  }

  /// Reads the data of a query, lets `change` modify it, and writes it back.
  ///
  /// Optional members that `change` sets to nil become null. Selected fields that the type does not have
  /// keep the values of the same object in the store: the object with the same key; if the type has no
  /// key, or no object has that key, the list element that was equal before, or the one at the same
  /// position if the list is as long as before. Any other object is new: unless the store knows it by its
  /// key, the type must have all selected fields. Setting the key of an object to nil is an error, too.
  ///
  /// - Throws: ``StoreError`` with the code `missing` if some of the data is not there, with
  ///   `noTypename` if the type of an object that `change` has added is unknown, with `incompleteType` if
  ///   the type lacks selected fields of an object that is new, or that nothing tells from others;
  ///   `JSONDecodingError`, whose text may quote a value, if what is there does not fit the type;
  ///   `JSONEncodingError` if the data cannot be encoded. Then nothing is written. The error of `change`.
  public mutating func update<Data: Encodable, Variables>(
    _ query: Query<Data, Variables>, _ variables: Variables,
    _ change: (inout Data) throws -> Void
  ) throws {
    try update(
      ReadTarget(inCurrentSession: query.operation(variables)), decoding: Data.self, change)
  }

  /// Modifies the data of a query without variables; see ``update(_:_:_:)``.
  ///
  /// - Throws: As ``update(_:_:_:)``.
  public mutating func update<Data: Encodable>(
    _ query: Query<Data, NoVariables>, _ change: (inout Data) throws -> Void
  ) throws {
    try update(query, NoVariables(), change)
  }
}

// MARK: - Fragments

extension StoreTransaction {
  /// Returns the decoded fields of an entity that a fragment selects if they are all there; otherwise
  /// nil.
  ///
  /// - Throws: `JSONDecodingError` if the data does not fit the type; its text may quote a value.
  public borrowing func read<Data>(
    _ fragment: Fragment<Data>, of entity: Entity
  ) throws -> Data? {
    try read(fragment.untyped, of: entity)?.decode(Data.self)
  }

  /// Merges data of your own type into an entity, which is created if it does not exist.
  ///
  /// The names of types, nil and fields that the type does not have are treated as by
  /// ``write(_:for:_:)``.
  ///
  /// - Throws: ``StoreError`` with the code `noTypename` if the type of an object is unknown, with
  ///   `incompleteType` if it is unclear which object's fields are to be kept; `JSONEncodingError` if the
  ///   data cannot be encoded.
  public mutating func write<Data: Encodable>(
    _ data: Data, for fragment: Fragment<Data>, of entity: Entity
  ) throws {
    try write(encoding: data, to: ReadTarget(fragment.untyped, of: entity, catalog))
  }

  /// Reads the fields that a fragment selects, lets `change` modify them, and writes them back. Nil and
  /// fields that the type does not have are treated as by ``update(_:_:_:)``.
  ///
  /// - Throws: ``StoreError`` with the code `missing` if a field is not there, with `noTypename` if the
  ///   type of an object that `change` has added is unknown, with `incompleteType` if the type lacks
  ///   selected fields of an object that is new, or that nothing tells from others; `JSONDecodingError` and
  ///   `JSONEncodingError` as by ``update(_:_:_:)``; the error of `change`.
  public mutating func update<Data: Encodable>(
    _ fragment: Fragment<Data>, of entity: Entity, _ change: (inout Data) throws -> Void
  ) throws {
    let target = ReadTarget(fragment.untyped, of: entity, catalog)
    try update(target, decoding: Data.self, change)
  }
}

// MARK: - Both

extension StoreTransaction {
  private mutating func write(encoding data: some Encodable, to target: ReadTarget) throws {
    let shown = read(target, allowsPartial: true)?.value
    let value = try JSONValue(encodingNils: data)
    try write(
      completed(value, shown: shown, for: target) { try? JSONValue(encoding: data) }, to: target)
  }

  private mutating func update<Data: Codable>(
    _ target: ReadTarget, decoding type: Data.Type, _ change: (inout Data) throws -> Void
  ) throws {
    let shown = try readAll(target)
    var data = try shown.data.decode(Data.self)
    let old = try JSONValue(encodingNils: data)
    try change(&data)
    let new = try JSONValue(encodingNils: data)
    let complete = try completed(new, shown: shown.data.value, old: old, for: target) {
      try? JSONValue(encoding: data)
    }
    try write(complete, to: target, updating: shown)
  }

  /// Data of a type of the app in the form in which it is written; see ``TypedData``.
  func completed(
    _ data: JSONValue, shown: JSONValue? = nil, old: JSONValue? = nil,
    omitted: OmittedMembers? = nil, for target: ReadTarget,
    withoutNils: @escaping () -> JSONValue? = { nil }
  ) throws -> JSON {
    var data = data
    if !target.isRoot, case .object(var object) = data, object["__typename"] == nil,
      let name = shown?["__typename"]
    {
      object["__typename"] = name
      data = .object(object)
    }
    let type = try type(of: target, named: data["__typename"]?.string)
    var typed = TypedData(
      target.bindings(catalog), records, isUpdate: old != nil, omitted: omitted,
      withoutNils: withoutNils)
    return try typed.complete(data, type, isRoot: target.isRoot, shown: shown, old: old)
  }
}

extension JSONValue {
  /// Encodes a value with null for nil, so that only members that the type does not have are missing.
  init(encodingNils value: some Encodable) throws {
    var options = JSONEncodeOptions(sortsKeys: false)
    options.writesNil = true
    try self.init(encoding: value, options: options)
  }
}
