/// The elements of a list of objects, for a ``FieldReader`` to read one after the other.
@usableFromInline
struct ElementReader: ~Copyable {
  @usableFromInline let count: Int

  /// If a document is read.
  private let session: DecodingSession?
  // Proof of validity: as in `FieldReader`, which makes and uses it.
  private let tape: JSONTape?
  private let array: Int
  /// The next element.
  private var cell: Int

  /// What is read if it is no document.
  private let source: (any FieldSource)?
  private var list: SourceList

  init(_ session: DecodingSession, _ tape: JSONTape, array: Int) {
    self.session = session
    self.tape = tape
    source = nil
    count = tape.extent(array).detail
    self.array = array
    cell = tape.firstChild(array)
    list = SourceList()
  }

  init(_ source: any FieldSource, _ list: SourceList) {
    session = nil
    tape = nil
    self.source = source
    count = list.count
    (array, cell) = (0, 0)
    self.list = list
  }

  /// All elements; those that were decoded before without being decoded again.
  @inlinable
  mutating func values<Value: SelectionDecodable>(_ type: Value.Type) throws -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(count)
    let wasInLongArray = begin()
    defer { end(wasInLongArray) }
    var known = known(type)
    while values.count < count {
      if let taken = known?.take(into: &values) {
        skip(taken)
        continue
      }
      var fields = try next(type)
      values.append(try fields.value(type))
    }
    keep(values)
    return values
  }

  /// The fields of the next element.
  @usableFromInline
  mutating func next(_ type: any Any.Type) throws -> FieldReader {
    if let tape, let session {
      let element = cell
      guard tape[element].kind == .object else {
        throw JSONValueDecoder(session: session, index: UInt32(truncatingIfNeeded: element))
          .mismatch(type)
      }
      cell = tape.next(element)
      return FieldReader(session, tape, object: element)
    }
    guard let source else { preconditionFailure("A list is read from somewhere.") }
    guard let object = source.next(&list) else { throw source.giveUp() }
    return FieldReader(source, object)
  }
}

// MARK: - Long lists

extension ElementReader {
  private var isLong: Bool { count >= DecodedElements.minimumCount }

  @usableFromInline
  func begin() -> Bool {
    guard let session else { return false }
    defer { if isLong { session.isInLongArray = true } }
    return session.isInLongArray
  }

  @usableFromInline
  func end(_ wasInLongArray: Bool) {
    session?.isInLongArray = wasInLongArray
  }

  /// What was decoded of the list before.
  @usableFromInline
  func known<Value>(_ type: Value.Type) -> KnownElements<Value>? {
    isLong ? session?.elements?.before(array, of: type) : nil
  }

  @usableFromInline
  mutating func skip(_ elements: Int) {
    guard let tape else { return }
    for _ in 0..<elements { cell = tape.next(cell) }
  }

  @usableFromInline
  func keep<Value>(_ values: [Value]) {
    if isLong { session?.elements?.keep(values, of: array) }
  }
}
