/// The part of a result that its copies and caches share: data and errors, and the values that were
/// decoded from the data.
@usableFromInline
package final class ResultPayload: Sendable {
  /// The data, unless only its text is kept.
  private let parsed: JSON?
  private let text: DataText?
  package let timing: ResultTiming?
  private let rare: Rare?

  /// What few results have.
  private struct Fields: Sendable {
    let error: OperationError?
    let extensions: JSON?
    let retention: Duration?
    let missingPaths: [[GraphQLError.PathElement]]
    let elements: DecodedElements?
    /// The payload of a cache with the same data, which gets the value that is decoded here.
    let origin: ResultPayload?
  }

  private typealias Rare = Shared<Fields>

  package var data: JSON? { parsed ?? text?.value }
  package var error: OperationError? { rare?.value.error }
  package var extensions: JSON? { rare?.value.extensions }
  package var retention: Duration? { rare?.value.retention }
  /// The paths where the data is null because a cache lacks them.
  package var missingPaths: [[GraphQLError.PathElement]] { rare?.value.missingPaths ?? [] }
  /// The decoded elements of long lists, which newer data can use again; nil if it cannot.
  package var elements: DecodedElements? { rare?.value.elements }

  /// The value of the first type that the data was decoded as, which is nearly always the only one.
  /// Read without a lock.
  private let firstDecoded = OnceReference<DecodedValue>()
  private let otherDecoded = OnceReference<Locked<[ObjectIdentifier: DecodedValue]>>()

  package init(
    data: JSON?, error: OperationError? = nil, extensions: JSON? = nil,
    timing: ResultTiming? = nil, retention: Duration? = nil,
    missingPaths: [[GraphQLError.PathElement]] = [], elements: DecodedElements? = nil,
    decodedFrom other: ResultPayload? = nil, decodingFor origin: ResultPayload? = nil
  ) {
    parsed = data
    text = nil
    self.timing = timing
    let elements = elements ?? other?.elements
    let isPlain = error == nil && extensions == nil && retention == nil && elements == nil
    rare =
      isPlain && missingPaths.isEmpty && origin == nil
      ? nil
      : Shared(
        Fields(
          error: error, extensions: extensions, retention: retention, missingPaths: missingPaths,
          elements: elements, origin: origin))
    if let first = other?.firstDecoded.load() { _ = firstDecoded.storeIfNil(first) }
  }

  /// Creates the same payload with the text of the data only, which takes about half the memory.
  private init(_ text: DataText, of other: ResultPayload) {
    parsed = nil
    self.text = text
    timing = other.timing
    rare = nil
    if let first = other.firstDecoded.load() { _ = firstDecoded.storeIfNil(first) }
  }

  /// Returns the same payload with the text of the data and its decoded value, without what parsing
  /// has found: that is found again when somebody reads the data. Returns nil if this one is that
  /// small already, or if parsing the text would take long.
  package func compacted() -> ResultPayload? {
    guard rare == nil, otherDecoded.load() == nil, text?.isUnread != true, let data,
      data.document.isParsed, data.document.bytes.count <= 4096
    else { return nil }
    return ResultPayload(DataText(data), of: self)
  }

  /// Returns the data as a value of a type, which is decoded once per type and then kept.
  @inlinable
  package func decoded<Value: Decodable & Sendable>(
    as type: Value.Type
  ) throws(OperationError) -> Value? {
    if let known = firstDecodedValue?.value(as: type) { return known }
    return try decodedFirst(as: type)
  }

  @usableFromInline var firstDecodedValue: DecodedValue? { firstDecoded.load() }

  @usableFromInline
  func decodedFirst<Value: Decodable & Sendable>(
    as type: Value.Type
  ) throws(OperationError) -> Value? {
    guard let data else { return nil }
    let others = otherDecoded.load()
    if let known = others?.withLock({ $0[ObjectIdentifier(type)] })?.value(as: type) {
      return known
    }
    let origin = rare?.value.origin
    if let known = origin?.firstDecodedValue?.value(as: type) { return known }
    let value: Value
    do {
      value = try data.decode(type, reusing: elements)
    } catch {
      throw OperationError(
        code: .decoding, message: "The data does not fit \(type): \(error)", underlying: error)
    }
    let box = DecodedBox(value)
    _ = origin?.firstDecoded.storeIfNil(box)
    if firstDecoded.storeIfNil(box) !== box {
      otherDecoded.storeIfNil(Locked([:])).withLock { $0[ObjectIdentifier(type)] = box }
    }
    return value
  }
}

/// A decoded value of some type.
///
/// Finding it is inlined: specialized for the type, it takes a fraction of the time.
@usableFromInline
class DecodedValue: @unchecked Sendable {
  // Proof: `type` is immutable, and the only subclass holds one immutable Sendable value.
  @usableFromInline let type: ObjectIdentifier

  fileprivate init(type: ObjectIdentifier) {
    self.type = type
  }

  /// Returns the value if it has this type. (A cast would look up the box's own type, which takes
  /// longer than a hit.)
  @inlinable
  func value<Value: Sendable>(as type: Value.Type) -> Value? {
    guard self.type == ObjectIdentifier(type) else { return nil }
    // Proof: only `DecodedBox<Value>` makes a value with the identifier of `Value`.
    return unsafeDowncast(self, to: DecodedBox<Value>.self).value
  }
}

@usableFromInline
final class DecodedBox<Value: Sendable>: DecodedValue, @unchecked Sendable {
  // Proof: as above; `value` is immutable.
  @usableFromInline let value: Value

  fileprivate init(_ value: Value) {
    self.value = value
    super.init(type: ObjectIdentifier(Value.self))
  }
}

/// Data as the text of its document, which is parsed when somebody reads it.
private final class DataText: Sendable {
  private let bytes: [UInt8]
  private let index: TapeIndex
  private let document = OnceReference<JSONDocument>()

  init(_ data: JSON) {
    bytes = data.document.bytes
    index = data.index
  }

  /// Whether it was not parsed.
  var isUnread: Bool { document.load() == nil }

  /// The data; nil never, because the text was parsed before.
  var value: JSON? {
    if let document = document.load() { return JSON(document: document, index: index) }
    guard let document = try? JSONDocument.parse(bytes) else { return nil }
    return JSON(document: self.document.storeIfNil(document), index: index)
  }
}
