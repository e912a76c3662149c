public import Weir

extension NormalizedStore {
  /// The data of a query, decoded, if everything that it selects is there; else nil.
  ///
  /// What has not changed since it was read last is not decoded again, and an entity that the result
  /// shows several times with the same fields is decoded once: its places have the same value, which
  /// is the same instance if the type is a class.
  ///
  /// - Throws: ``OperationError`` with the code `decoding` if the data do not fit the type.
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
  /// - Throws: ``JSONDecodingError`` or `DecodingError` if the data do not fit the type.
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
  /// - Throws: ``StoreError`` with the code `noTypename` if the type of an object cannot be told.
  public mutating func write<Data: Encodable, Variables>(
    _ data: Data, for query: Query<Data, Variables>, _ variables: Variables
  ) throws {
    let operation = query.operation(variables)
    var value = try JSONValue(encoding: data)
    if let shown = read(operation, allowsPartial: true) {
      value.takeTypenames(from: shown.value, catalog.configuration)
    }
    try write(JSON(parsing: try value.canonicalBytes()), for: operation)
  }

  /// Reads the data of a query, lets `change` change them, and writes them back.
  ///
  /// - Throws: ``StoreError`` with the code `missing` if something is not there, with `noTypename`
  ///   if the type of an object that `change` has added cannot be told; what `change` throws.
  public mutating func update<Data: Encodable, Variables>(
    _ query: Query<Data, Variables>, _ variables: Variables,
    _ change: (inout Data) throws -> Void
  ) throws {
    guard var data = try read(query, variables) else {
      throw StoreError(.missing, "Something that the query selects is not in the store.")
    }
    try change(&data)
    try write(data, for: query, variables)
  }
}

extension JSONValue {
  /// Puts the names of types where they are missing, as far as other data of the same selection
  /// tell them.
  mutating func takeTypenames(
    from other: JSONValue, _ configuration: NormalizedCacheConfiguration
  ) {
    switch (self, other) {
    case (.object(var object), .object(let shown)):
      if object["__typename"] == nil { object["__typename"] = shown["__typename"] }
      for (key, value) in object {
        guard let there = shown[key] else { continue }
        var value = value
        value.takeTypenames(from: there, configuration)
        object[key] = value
      }
      self = .object(object)
    case (.array(let elements), .array(let shown)):
      let types = Set(shown.compactMap { $0["__typename"] })
      let keys = Set(types.compactMap(\.string).map(configuration.keyFields))
        .sorted { $0.lexicographicallyPrecedes($1) }
      let byKey = keys.map { names in
        Dictionary(
          shown.compactMap { element in element.values(of: names).map { ($0, element) } },
          uniquingKeysWith: { first, _ in first })
      }
      func same(_ element: JSONValue) -> JSONValue? {
        zip(keys, byKey).lazy.compactMap { names, shown in
          element.values(of: names).flatMap { shown[$0] }
        }.first
      }
      let sample = types.count == 1 ? shown.first : nil
      self = .array(
        elements.map { element in
          var element = element
          if let same = same(element) ?? sample {
            element.takeTypenames(from: same, configuration)
          }
          return element
        })
    default: break
    }
  }
  /// The values of members, if all are there and none is null.
  fileprivate func values(of names: [String]) -> [JSONValue]? {
    let values = names.compactMap { self[$0] }
    return values.count == names.count && !values.contains(.null) ? values : nil
  }
}

extension NormalizedCacheConfiguration {
  /// The fields that tell the objects of a type apart.
  fileprivate func keyFields(of typename: String) -> [String] {
    if case .fields(let names)? = key(of: typename) { return names }
    return ["id"]
  }
}
