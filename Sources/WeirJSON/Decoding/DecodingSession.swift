import Foundation

/// The state that the decoders and containers of one call of `decode` share.
///
/// A call stays on its thread, so it needs no lock.
@usableFromInline
final class DecodingSession {
  let document: JSONDocument
  let root: TapeIndex
  let dates: JSONDateStrategy
  let userInfo: [CodingUserInfoKey: any Sendable]
  /// The elements that were decoded before, and are kept for the next document; nil for most
  /// documents.
  @usableFromInline let elements: DecodedElements?

  /// The view of the document's cells while it is being decoded; nil for a decoder that outlives
  /// the call.
  private var tape: JSONTape?

  /// The position after the key that was found last, where the search for the next one begins: the
  /// same types read the same keys in the same order.
  var expectedPosition = 0

  /// The error that was thrown last, and the innermost value whose initializer threw it.
  private var failure: (error: any Error, index: TapeIndex)?

  /// The way to the value whose path was asked for last.
  private var trail = PathTrail()

  /// The indices of the large objects that have been read.
  private var memberIndices: [TapeIndex: MemberIndex] = [:]
  private var lastMemberIndex: MemberIndex?
  /// Where the keys of long key lists are.
  private var keyIndices: [Int: KeyIndex] = [:]

  // Proof for each `exclusivity(unchecked)`: a session stays on its thread, and no other code runs
  // while one of these properties is accessed. Checking that took a twentieth of the time.

  /// Whether a long list is being decoded.
  @exclusivity(unchecked) @usableFromInline var isInLongArray = false

  /// Whether elements of long lists may hold the document. They are not kept for the next document then,
  /// because each of them would keep its own one alive.
  @exclusivity(unchecked) @usableFromInline var sharesDocument = false

  /// The factories of containers in long lists, by type of key: one result has few types.
  @exclusivity(unchecked)
  private var factories: [(key: ObjectIdentifier, factory: AnyObject)] = []

  /// The keys of objects in long lists that a ``FieldReader`` has found.
  @exclusivity(unchecked) var knownKeys = KnownKeys()

  /// The objects that need be decoded only once.
  @exclusivity(unchecked) private var repeatedObjects: RepeatedObjects?
  /// Their values, by type.
  @exclusivity(unchecked) @usableFromInline
  var repeatedValues: [(type: ObjectIdentifier, values: AnyObject)] = []

  /// The last message of ours about an invalid value. It has no part of the JSON.
  var ownMessage: String?

  init(
    _ json: JSON, dates: JSONDateStrategy, userInfo: [CodingUserInfoKey: any Sendable],
    elements: DecodedElements? = nil
  ) {
    self.elements = elements
    repeatedObjects = elements?.repeatedObjects()
    document = json.document
    root = json.index
    self.dates = dates
    self.userInfo = userInfo
  }

  /// Notes that a value of the document itself is given away.
  func noteSharing() {
    // A repeated object's value may occur in a later list, too.
    if isInLongArray || repeatedObjects != nil { sharesDocument = true }
  }

  /// The index of a large object's members.
  func memberIndex(_ object: TapeIndex, _ tape: JSONTape) -> MemberIndex {
    if let last = lastMemberIndex, last.object == object { return last }
    let index = memberIndices[object] ?? MemberIndex(tape, object: object)
    memberIndices[object] = index
    lastMemberIndex = index
    return index
  }

  /// Returns the position of a key in a long key list, or nil.
  func position(
    of key: UnsafeBufferPointer<UInt8>, in list: Int, startingAt start: Int, _ tape: JSONTape
  ) -> Int? {
    if start < tape.keyCount(list), tape.matches(tape.key(list, start), key) { return start }
    return keyIndices[list, default: KeyIndex()]
      .position(of: key, in: list, startingAt: start, tape)
  }

  /// Notes that a value could not be decoded.
  ///
  /// A failure that was noted for a value within it is kept if it is the same error, passed on: an
  /// initializer may have handled an earlier one, for example by `try?`.
  @usableFromInline
  func note(_ error: any Error, failureAt index: TapeIndex) {
    if let failure, isWithin(failure.index, index), isSame(failure.error, error) { return }
    failure = (error, index)
  }

  private func isWithin(_ inner: TapeIndex, _ outer: TapeIndex) -> Bool {
    inner >= outer && withTape { inner < $0.next(outer) }
  }

  /// The path of the error that ended the decoding.
  var failurePath: [JSONPathKey] { failure.map { path(to: $0.index) } ?? [] }

  /// Returns the path from the root to a value. It is found by a search, so that decoding need not
  /// track it.
  func path(to target: TapeIndex) -> [JSONPathKey] {
    document.withTape { tape in
      tape.path(
        from: root, to: target, on: &trail, key: { JSONPathKey($0) }, index: { JSONPathKey($0) })
    }
  }

  /// Runs `body` with a view of the cells that is valid until `body` returns.
  func withTape<Result, Failure: Error>(
    _ body: (JSONTape) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if let tape { return try body(tape) }
    return try document.withTape(body)
  }

  /// Runs `body`, and keeps a view of the cells until it returns: getting a view for each field
  /// would count references each time.
  func holdingTape<Result>(_ body: () throws -> Result) throws -> Result {
    try document.withTape { tape in
      self.tape = tape
      defer { self.tape = nil }
      return try body()
    }
  }
}

// MARK: - Repeated objects

extension DecodingSession {
  /// Returns the number of an object that is shown several times; nil for other objects.
  @usableFromInline
  func repeatedObject(_ index: TapeIndex) -> Int? { repeatedObjects?.number(at: index) }

  /// Returns the value of such an object, and decodes it if it has none yet. Inlined, because the
  /// closure would otherwise count references to what it captures.
  @inlinable
  func repeated<Value>(_ number: Int, _ decode: () throws -> Value) throws -> Value {
    try values(of: Value.self)._withUnsafeGuaranteedRef { values in
      if values.has(number) { return values.value(number) }
      let value = try decode()
      values.keep(value, number)
      return value
    }
  }

  /// The values of a type. Proof of validity: the session keeps them.
  @inlinable
  func values<Value>(of type: Value.Type) -> Unmanaged<RepeatedValues<Value>> {
    let id = ObjectIdentifier(type)
    for index in repeatedValues.indices where repeatedValues[index].type == id {
      // Proof: created below, for the same type.
      return .passUnretained(
        unsafeDowncast(repeatedValues[index].values, to: RepeatedValues<Value>.self))
    }
    let values = RepeatedValues<Value>()
    repeatedValues.append((id, values))
    return .passUnretained(values)
  }
}

// MARK: - Containers

extension DecodingSession {
  /// Returns the container of an object's members.
  func container<Key: CodingKey>(
    keyedBy type: Key.Type, of object: TapeIndex
  ) -> KeyedDecodingContainer<Key> {
    guard isInLongArray else {
      return KeyedDecodingContainer(ObjectContainer<Key>(session: self, object: object))
    }
    let key = ObjectIdentifier(type)
    for index in factories.indices where factories[index].key == key {
      // Proof: created below, for the same type of key.
      return unsafeDowncast(factories[index].factory, to: ContainerFactory<Key>.self)
        .make(self, object)
    }
    let factory = ObjectContainerFactory<Key, ObjectContainer<Key>>()
    factories.append((key, factory))
    return factory.make(self, object)
  }
}

/// Creates the containers of objects whose keys are of one type.
///
/// Naming `ObjectContainer<Key>` in a generic function makes the runtime look it up among all types
/// of the process, which took a sixth of the time of decoding. An instance of a type that has it as
/// its own generic parameter knows it.
private class ContainerFactory<Key: CodingKey> {
  func make(_ session: DecodingSession, _ object: TapeIndex) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(ObjectContainer<Key>(session: session, object: object))
  }
}

private final class ObjectContainerFactory<Key, Container: ObjectContaining>: ContainerFactory<Key>
where Container.Key == Key {
  override func make(_ session: DecodingSession, _ object: TapeIndex) -> KeyedDecodingContainer<Key>
  {
    KeyedDecodingContainer(Container(session: session, object: object))
  }
}

/// A container of an object's members.
protocol ObjectContaining: KeyedDecodingContainerProtocol {
  init(session: DecodingSession, object: TapeIndex)
}
