/// The part of a result that its copies and caches share: data and errors, and the values that were
/// decoded from the data.
@usableFromInline
package final class ResultPayload: Sendable {
  package let data: JSON?
  package let error: OperationError?
  package let extensions: JSON?
  package let timing: ResultTiming?
  package let retention: Duration?
  /// The paths where the data is null because a cache lacks them.
  package let missingPaths: [[GraphQLError.PathElement]]
  /// The decoded elements of long lists, which newer data can use again; nil if it cannot.
  package let elements: DecodedElements?

  /// The value of the first type that the data was decoded as, which is nearly always the only one.
  /// Read without a lock.
  private let firstDecoded = OnceReference<DecodedValue>()
  private let otherDecoded = OnceReference<Locked<[ObjectIdentifier: DecodedValue]>>()

  package init(
    data: JSON?, error: OperationError? = nil, extensions: JSON? = nil,
    timing: ResultTiming? = nil, retention: Duration? = nil,
    missingPaths: [[GraphQLError.PathElement]] = [], elements: DecodedElements? = nil,
    decodedFrom other: ResultPayload? = nil
  ) {
    self.data = data
    self.error = error
    self.extensions = extensions
    self.timing = timing
    self.retention = retention
    self.missingPaths = missingPaths
    self.elements = elements ?? other?.elements
    if let first = other?.firstDecoded.load() { _ = firstDecoded.storeIfNil(first) }
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
    let value: Value
    do {
      value = try data.decode(type, reusing: elements)
    } catch {
      throw OperationError(
        code: .decoding, message: "The data does not fit \(type): \(error)", underlying: error)
    }
    let box = DecodedBox(value)
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
