// Generated types that no list contains are read once for a result. They call these, which are not
// compiled again in the module of the type: that would take more code, and save no time. The optimizer
// also copies small and generic functions that are not inlinable, unless they call private ones.

extension FieldReader {
  /// Reads a string outside of a list.
  public mutating func value(_ name: StaticString) throws -> String { try own(name) }

  /// Reads a string, or nil, outside of a list.
  public mutating func value(_ name: StaticString) throws -> String? { try own(name) }

  /// Reads an integer outside of a list.
  public mutating func value(_ name: StaticString) throws -> Int { try own(name) }

  /// Reads an integer, or nil, outside of a list.
  public mutating func value(_ name: StaticString) throws -> Int? { try own(name) }

  /// Reads a number outside of a list.
  public mutating func value(_ name: StaticString) throws -> Double { try own(name) }

  /// Reads a number, or nil, outside of a list.
  public mutating func value(_ name: StaticString) throws -> Double? { try own(name) }

  /// Reads a Boolean outside of a list.
  public mutating func value(_ name: StaticString) throws -> Bool { try own(name) }

  /// Reads a Boolean, or nil, outside of a list.
  public mutating func value(_ name: StaticString) throws -> Bool? { try own(name) }

  /// Reads a value of an enumeration outside of a list.
  public mutating func value<Value: GraphQLEnum>(_ name: StaticString) throws -> Value {
    try own(name)
  }

  /// Reads a value of an enumeration, or nil, outside of a list.
  public mutating func value<Value: GraphQLEnum>(_ name: StaticString) throws -> Value? {
    try own(name)
  }

  /// Reads an object outside of a list.
  public mutating func value<Value: SelectionDecodable>(_ name: StaticString) throws -> Value {
    try own(name)
  }

  /// Reads an object, or nil, outside of a list.
  public mutating func value<Value: SelectionDecodable>(_ name: StaticString) throws -> Value? {
    try own(name)
  }
}

// MARK: - Private

extension FieldReader {
  @inline(never) private mutating func own(_ name: StaticString) throws -> String { try read(name) }

  @inline(never) private mutating func own(_ name: StaticString) throws -> String? {
    try read(name)
  }

  @inline(never) private mutating func own(_ name: StaticString) throws -> Int { try read(name) }

  @inline(never) private mutating func own(_ name: StaticString) throws -> Int? { try read(name) }

  @inline(never) private mutating func own(_ name: StaticString) throws -> Double { try read(name) }

  @inline(never) private mutating func own(_ name: StaticString) throws -> Double? {
    try read(name)
  }

  @inline(never) private mutating func own(_ name: StaticString) throws -> Bool { try read(name) }

  @inline(never) private mutating func own(_ name: StaticString) throws -> Bool? { try read(name) }

  @inline(never)
  private mutating func own<Value: GraphQLEnum>(_ name: StaticString) throws -> Value {
    Value(rawValue: try own(name))
  }

  @inline(never)
  private mutating func own<Value: GraphQLEnum>(_ name: StaticString) throws -> Value? {
    (try own(name) as String?).map { Value(rawValue: $0) }
  }

  @inline(never)
  private mutating func own<Value: SelectionDecodable>(_ name: StaticString) throws -> Value {
    try read(name)
  }

  @inline(never)
  private mutating func own<Value: SelectionDecodable>(_ name: StaticString) throws -> Value? {
    try read(name)
  }
}
