import Foundation

/// What the decoders and containers of one call of `decode` share.
///
/// A call stays on its thread, so this needs no lock.
@usableFromInline
final class DecodingSession {
  let document: JSONDocument
  let root: UInt32
  let dates: JSONDateStrategy
  let userInfo: [CodingUserInfoKey: any Sendable]
  /// What was decoded of the document before, and is kept for the next one; nil for most documents.
  @usableFromInline let elements: DecodedElements?

  /// The view of the document's cells while it is being decoded. A decoder that somebody keeps for
  /// longer does without.
  private var tape: JSONTape?

  /// Where the key was found that was asked for last, plus one. The same types read the same keys
  /// in the same order, so that is where the next one is looked for first.
  var expectedPosition = 0

  /// The error that was thrown last, and the innermost value whose initializer has let it pass.
  private var failure: (error: any Error, index: UInt32)?

  /// The indices of the large objects that have been read.
  private var memberIndices: [Int: MemberIndex] = [:]
  private var lastMemberIndex: MemberIndex?

  // Proof for all: a session stays on its thread, and nobody is called while one of them is
  // touched. To have that checked took a twentieth of the time.

  /// Whether a long list is being decoded: what pays for itself when it is used again and again.
  @exclusivity(unchecked) @usableFromInline var isInLongArray = false

  /// For each key of the key lists, the address of the literal that named it last: initializers ask
  /// by the same ones again and again. Nil as long as there is no long list, for which it pays.
  ///
  /// Proof: allocated by `keepNames` with a place for each word of the key lists and one more, freed
  /// in `deinit`; literals stay where they are, and one address is that of one text.
  @exclusivity(unchecked) @usableFromInline
  private(set) var names: UnsafeMutablePointer<UnsafePointer<UInt8>?>?

  /// What makes the containers then, by type of key: the types of one result are few.
  @exclusivity(unchecked)
  private var factories: [(key: ObjectIdentifier, factory: AnyObject)] = []
  /// Which objects need be decoded only once.
  @exclusivity(unchecked) private var repeatedObjects: RepeatedObjects?
  /// What they were decoded as, by type.
  @exclusivity(unchecked) @usableFromInline
  var repeatedValues: [(type: ObjectIdentifier, values: AnyObject)] = []

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

  deinit {
    names?.deallocate()
  }

  /// A long list begins.
  @usableFromInline
  func keepNames() {
    guard names == nil else { return }
    let count = document.keyListWords + 1
    let new = UnsafeMutablePointer<UnsafePointer<UInt8>?>.allocate(capacity: count)
    new.initialize(repeating: nil, count: count)
    names = new
  }

  /// The index of a large object's members.
  func memberIndex(_ object: Int, _ tape: JSONTape) -> MemberIndex {
    if let last = lastMemberIndex, last.object == object { return last }
    let index = memberIndices[object] ?? MemberIndex(tape, object: object)
    memberIndices[object] = index
    lastMemberIndex = index
    return index
  }

  /// A value could not be decoded. What was noted for values within it counts only if it is the same
  /// error on its way up: an initializer may have dealt with another one, as by `try?`.
  @usableFromInline
  func note(_ error: any Error, failureAt index: UInt32) {
    if let failure, isWithin(failure.index, index), isSame(failure.error, error) { return }
    failure = (error, index)
  }

  private func isWithin(_ inner: UInt32, _ outer: UInt32) -> Bool {
    inner >= outer && withTape { Int(inner) < $0.next(Int(outer)) }
  }

  /// Proof: an `any Error` is one reference, to a box that is shared when the error is passed on, and
  /// the two are compared as numbers. Both are held here, so two boxes have two addresses. An error
  /// that somebody has put into a new box on its way counts as another one, which is theirs.
  private func isSame(_ one: any Error, _ other: any Error) -> Bool {
    // Without `as`, what is in the boxes would be compared.
    unsafeBitCast(one as any Error, to: UInt.self)
      == unsafeBitCast(other as any Error, to: UInt.self)
  }

  /// The path of the error that the decoding has ended with.
  var failurePath: [JSONPathKey] { failure.map { path(to: $0.index) } ?? [] }

  /// The way from the root to a value. Found by search, so that decoding need not keep track.
  func path(to target: UInt32) -> [JSONPathKey] {
    document.withTape { tape in
      tape.path(
        from: Int(root), to: Int(target), key: { JSONPathKey($0) }, index: { JSONPathKey($0) })
    }
  }

  /// Runs `body` with a view of the cells that is valid until it returns.
  @inline(__always)
  func withTape<Result, Failure: Error>(
    _ body: (JSONTape) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if let tape { return try body(tape) }
    return try document.withTape(body)
  }

  /// Runs `body`, during which a view of the cells is at hand: to get one for each field would count
  /// references each time.
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
  /// The number of an object that is shown several times.
  @usableFromInline
  func repeatedObject(_ index: UInt32) -> Int? { repeatedObjects?.number(at: index) }

  /// The value of such an object, which is decoded if that has not been done. Inlined, or its closure
  /// would count references to what it captures.
  @inlinable @inline(__always)
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
      // Proof: made below, for the same type.
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
  /// The members of an object.
  @inline(__always)
  func container<Key: CodingKey>(
    keyedBy type: Key.Type, of object: UInt32
  ) -> KeyedDecodingContainer<Key> {
    guard isInLongArray else {
      return KeyedDecodingContainer(ObjectContainer<Key>(session: self, object: object))
    }
    let key = ObjectIdentifier(type)
    for index in factories.indices where factories[index].key == key {
      // Proof: made below, for the same type of key.
      return unsafeDowncast(factories[index].factory, to: ContainerFactory<Key>.self)
        .make(self, object)
    }
    let factory = ObjectContainerFactory<Key, ObjectContainer<Key>>()
    factories.append((key, factory))
    return factory.make(self, object)
  }
}

/// Makes the containers of objects whose keys are of one type.
///
/// To name `ObjectContainer<Key>` in a generic function is to look it up among all types of the
/// process, which took a sixth of the time of decoding. An instance that has it as its own parameter
/// knows it.
private class ContainerFactory<Key: CodingKey> {
  func make(_ session: DecodingSession, _ object: UInt32) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(ObjectContainer<Key>(session: session, object: object))
  }
}

private final class ObjectContainerFactory<Key, Container: ObjectContaining>: ContainerFactory<Key>
where Container.Key == Key {
  override func make(_ session: DecodingSession, _ object: UInt32) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Container(session: session, object: object))
  }
}

/// A container of an object's members.
protocol ObjectContaining: KeyedDecodingContainerProtocol {
  init(session: DecodingSession, object: UInt32)
}
