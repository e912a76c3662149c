/// The fields of one object, for a ``SelectionDecodable`` value to read.
///
/// All methods throw a `DecodingError` if there is no field of the name, or if its value is not what
/// is asked for. An optional is nil if the field is null or not there.
public struct FieldReader: ~Copyable {
  /// If a document is read.
  private let session: DecodingSession?
  // Proof of validity: whoever makes a reader keeps the view of the document's cells until all
  // readers that were made with it are gone. Nobody else can keep one: it has no copies, and an
  // initializer has to give back the one that it was given.
  private let tape: JSONTape?
  private let object: Int
  private let keyList: Int
  /// The member that is expected to be asked for next.
  private var position = 0
  private var cell: Int

  /// What is read if it is no document.
  private let source: (any FieldSource)?
  private var place: SourcePlace

  /// The fields of an object in a document.
  @inline(__always)
  init(_ session: DecodingSession, _ tape: JSONTape, object: Int) {
    self.session = session
    self.tape = tape
    self.object = object
    keyList = tape.keyList(object)
    cell = tape.firstChild(object)
    source = nil
    place = SourcePlace()
  }

  /// The fields of an object that a cache keeps.
  @inline(__always)
  init(_ source: any FieldSource, _ place: SourcePlace) {
    session = nil
    tape = nil
    (object, keyList, cell) = (0, 0, 0)
    self.source = source
    self.place = place
  }
}

// MARK: - Finding fields

extension FieldReader {
  /// The index of a field's value in the document.
  @inline(__always)
  private mutating func find(_ name: StaticString, _ tape: JSONTape) -> Int? {
    name.withUTF8Buffer { name in
      if position == tape.keyCount(keyList) || !tape.matches(tape.key(keyList, position), name) {
        guard let found = tape.position(of: name, in: keyList, startingAt: position) else {
          return nil
        }
        position = found
        cell = tape.value(object, at: found)
      }
      let found = cell
      position += 1
      cell = tape.next(found)
      return found
    }
  }

  /// A value of a kind that makes no decoder, which would count references.
  @inline(__always)
  mutating func scalar<Value: Decodable>(
    _ name: StaticString, _ inDocument: (JSONTape, JSONCell) -> Value?,
    _ inSource: (any FieldSource, SourcePlace) -> Value?
  ) throws -> Value {
    if let tape {
      guard let index = find(name, tape) else { throw missing(name) }
      if let value = inDocument(tape, tape[index]) { return value }
      return try decode(index)  // Throws.
    }
    guard let source, source.find(name, &place), let value = inSource(source, place) else {
      throw giveUp()
    }
    return value
  }

  /// The same, or nil.
  @inline(__always)
  mutating func optionalScalar<Value: Decodable>(
    _ name: StaticString, _ inDocument: (JSONTape, JSONCell) -> Value?,
    _ inSource: (any FieldSource, SourcePlace) -> Value?
  ) throws -> Value? {
    if let tape {
      guard let index = find(name, tape), tape[index].kind != .null else { return nil }
      if let value = inDocument(tape, tape[index]) { return value }
      return try decode(index) as Value  // Throws.
    }
    guard let source, source.find(name, &place), place.value.kind != .null else { return nil }
    guard let value = inSource(source, place) else { throw giveUp() }
    return value
  }

  /// A value of any type, by `Decodable`.
  mutating func any<Value: Decodable>(_ name: StaticString) throws -> Value {
    if let tape {
      guard let index = find(name, tape) else { throw missing(name) }
      return try decode(index)
    }
    guard let source, source.find(name, &place) else { throw giveUp() }
    return try SourceDecoder(source, place).decode(Value.self)
  }

  /// The same, or nil.
  mutating func optionalAny<Value: Decodable>(_ name: StaticString) throws -> Value? {
    if let tape {
      guard let index = find(name, tape), tape[index].kind != .null else { return nil }
      return try decode(index) as Value
    }
    guard let source, source.find(name, &place), place.value.kind != .null else { return nil }
    return try SourceDecoder(source, place).decode(Value.self)
  }

  @inline(never)
  private func decode<Value: Decodable>(_ index: Int) throws -> Value {
    guard let session else { throw giveUp() }
    return try JSONValueDecoder(session: session, index: UInt32(truncatingIfNeeded: index))
      .decode(Value.self)
  }

  @inline(never)
  private func missing(_ name: StaticString) -> DecodingError {
    .keyNotFound(
      JSONPathKey("\(name)"),
      DecodingError.Context(
        codingPath: session?.path(to: UInt32(truncatingIfNeeded: object)) ?? [],
        debugDescription: "The object has no member \"\(name)\"."))
  }

  /// The source cannot answer as a document would.
  @inline(never)
  private func giveUp() -> any Error { source?.giveUp() ?? missing("") }
}

// MARK: - Objects and lists

// What follows is called once for each object of a result, and in part inlined, so that it is made for
// the types of the caller.

extension FieldReader {
  /// The fields of an object.
  @usableFromInline
  mutating func object(_ name: StaticString, _ type: any Any.Type) throws -> FieldReader {
    if let tape, let session {
      guard let index = find(name, tape) else { throw missing(name) }
      guard tape[index].kind == .object else { throw mismatch(index, type) }
      return FieldReader(session, tape, object: index)
    }
    guard let source, source.find(name, &place), let object = source.object(place) else {
      throw giveUp()
    }
    return FieldReader(source, object)
  }

  /// The same, or nil.
  @usableFromInline
  mutating func optionalObject(_ name: StaticString, _ type: any Any.Type) throws -> FieldReader? {
    if let tape, let session {
      guard let index = find(name, tape), tape[index].kind != .null else { return nil }
      guard tape[index].kind == .object else { throw mismatch(index, type) }
      return FieldReader(session, tape, object: index)
    }
    guard let source, source.find(name, &place), place.value.kind != .null else { return nil }
    guard let object = source.object(place) else { throw giveUp() }
    return FieldReader(source, object)
  }

  /// The elements of a list.
  @usableFromInline
  mutating func list(_ name: StaticString, _ type: any Any.Type) throws -> ElementReader {
    if let tape, let session {
      guard let index = find(name, tape) else { throw missing(name) }
      guard tape[index].kind == .array else { throw mismatch(index, type) }
      return ElementReader(session, tape, array: index)
    }
    guard let source, source.find(name, &place), let list = source.list(place) else {
      throw giveUp()
    }
    return ElementReader(source, list)
  }

  /// The same, or nil.
  @usableFromInline
  mutating func optionalList(_ name: StaticString, _ type: any Any.Type) throws -> ElementReader? {
    if let tape, let session {
      guard let index = find(name, tape), tape[index].kind != .null else { return nil }
      guard tape[index].kind == .array else { throw mismatch(index, type) }
      return ElementReader(session, tape, array: index)
    }
    guard let source, source.find(name, &place), place.value.kind != .null else { return nil }
    guard let list = source.list(place) else { throw giveUp() }
    return ElementReader(source, list)
  }

  @inline(never)
  private func mismatch(_ index: Int, _ type: any Any.Type) -> any Error {
    guard let session else { return giveUp() }
    return JSONValueDecoder(session: session, index: UInt32(truncatingIfNeeded: index))
      .mismatch(type)
  }

  /// The object as a value.
  @inlinable
  mutating func value<Value: SelectionDecodable>(_ type: Value.Type) throws -> Value {
    do {
      let value = try Value(reading: &self)
      try end()
      return value
    } catch {
      noteFailure()
      throw error
    }
  }

  /// The initializer has read what it wants.
  @usableFromInline
  func end() throws {
    if let source, !source.end(place) { throw source.giveUp() }
  }

  /// The initializer has thrown an error.
  @usableFromInline
  func noteFailure() {
    session?.note(failureAt: UInt32(truncatingIfNeeded: object))
    _ = source?.giveUp()
  }
}
