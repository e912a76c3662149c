extension FieldReader {
  /// A string.
  public mutating func read(_ name: StaticString) throws -> String {
    try scalar(name, { $1.kind == .string ? $0.string($1) : nil }, { $1.string($0) })
  }

  /// A string, or nil.
  public mutating func read(_ name: StaticString) throws -> String? {
    try optionalScalar(name, { $1.kind == .string ? $0.string($1) : nil }, { $1.string($0) })
  }

  /// An integer.
  public mutating func read(_ name: StaticString) throws -> Int {
    try scalar(name, { $0.integer($1) }, { $1.integer($0) })
  }

  /// An integer, or nil.
  public mutating func read(_ name: StaticString) throws -> Int? {
    try optionalScalar(name, { $0.integer($1) }, { $1.integer($0) })
  }

  /// A number.
  public mutating func read(_ name: StaticString) throws -> Double {
    try scalar(name, { $0.double($1) }, { $1.double($0) })
  }

  /// A number, or nil.
  public mutating func read(_ name: StaticString) throws -> Double? {
    try optionalScalar(name, { $0.double($1) }, { $1.double($0) })
  }

  /// True or false.
  public mutating func read(_ name: StaticString) throws -> Bool {
    try scalar(name, { $1.bool }, { $1.value.bool })
  }

  /// True, false, or nil.
  public mutating func read(_ name: StaticString) throws -> Bool? {
    try optionalScalar(name, { $1.bool }, { $1.value.bool })
  }

  /// An object.
  @inlinable
  public mutating func read<Value: SelectionDecodable>(_ name: StaticString) throws -> Value {
    var fields = try object(name, Value.self)
    return try fields.value(Value.self)
  }

  /// An object, or nil.
  @inlinable
  public mutating func read<Value: SelectionDecodable>(_ name: StaticString) throws -> Value? {
    guard var fields = try optionalObject(name, Value.self) else { return nil }
    return try fields.value(Value.self)
  }

  /// A list of objects.
  @inlinable
  public mutating func read<Value: SelectionDecodable>(_ name: StaticString) throws -> [Value] {
    var elements = try list(name, [Value].self)
    return try elements.values(Value.self)
  }

  /// A list of objects, or nil.
  @inlinable
  public mutating func read<Value: SelectionDecodable>(_ name: StaticString) throws -> [Value]? {
    guard var elements = try optionalList(name, [Value].self) else { return nil }
    return try elements.values(Value.self)
  }

  /// A value of any other type, as `Decodable` does it: an enumeration, a date, a list of numbers.
  public mutating func decode<Value: Decodable>(_ name: StaticString) throws -> Value {
    try any(name)
  }

  /// A value of any other type, or nil.
  public mutating func decodeIfPresent<Value: Decodable>(_ name: StaticString) throws -> Value? {
    try optionalAny(name)
  }
}
