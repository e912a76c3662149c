/// What copies of a result share, caches included: data and errors, and the values that were
/// decoded from the data.
@usableFromInline
package final class ResultPayload: Sendable {
  package let data: JSON?
  package let error: OperationError?
  package let extensions: JSON?
  package let timing: ResultTiming?
  /// Where the data are null because a cache knows nothing.
  package let missingPaths: [[GraphQLError.PathElement]]
  /// What is decoded of long lists, for the data that take the place of these; nil if nothing can.
  package let elements: DecodedElements?

  /// The first type that the data were decoded as, which is nearly always the only one: read
  /// without a lock.
  private let firstDecoded = OnceReference<DecodedValue>()
  private let otherDecoded = OnceReference<DecodedValues>()

  package init(
    data: JSON?, error: OperationError? = nil, extensions: JSON? = nil,
    timing: ResultTiming? = nil, missingPaths: [[GraphQLError.PathElement]] = [],
    elements: DecodedElements? = nil, decodedFrom other: ResultPayload? = nil
  ) {
    self.data = data
    self.error = error
    self.extensions = extensions
    self.timing = timing
    self.missingPaths = missingPaths
    self.elements = elements ?? other?.elements
    if let first = other?.firstDecoded.load() { _ = firstDecoded.storeIfNil(first) }
  }

  /// The data as a value of a type; decoded once per type, then kept.
  @inlinable
  package func decoded<Value: Decodable & Sendable>(
    as type: Value.Type
  ) throws(OperationError) -> Value? {
    if let known = firstDecodedValue?.value(as: type) { return known }
    return try decodedAnew(as: type)
  }

  @usableFromInline var firstDecodedValue: DecodedValue? { firstDecoded.load() }

  @usableFromInline
  func decodedAnew<Value: Decodable & Sendable>(
    as type: Value.Type
  ) throws(OperationError) -> Value? {
    guard let data else { return nil }
    if let known = otherDecoded.load()?.value(as: type) { return known }
    let value: Value
    do {
      value = try data.decode(type, reusing: elements)
    } catch {
      throw OperationError(
        code: .decoding, message: "The data do not fit \(type): \(error)", underlying: error)
    }
    let box = DecodedBox(value)
    if firstDecoded.storeIfNil(box) !== box {
      otherDecoded.storeIfNil(DecodedValues()).add(box, for: type)
    }
    return value
  }
}

/// A decoded value of some type.
///
/// What finds it is inlined: made for the type, it takes a fraction of the time.
@usableFromInline
class DecodedValue: @unchecked Sendable {
  // Proof: `type` is immutable, and the only subclass holds one immutable Sendable value.
  @usableFromInline let type: ObjectIdentifier

  fileprivate init(type: ObjectIdentifier) {
    self.type = type
  }

  /// The value, if it is of this type. (A cast would look the box's own type up, which takes longer
  /// than a hit.)
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

/// The values of data that were decoded as several types.
private final class DecodedValues: Sendable {
  private let values = Locked<[ObjectIdentifier: DecodedValue]>([:])

  func value<Value: Sendable>(as type: Value.Type) -> Value? {
    values.withLock { $0[ObjectIdentifier(type)] }?.value(as: type)
  }

  func add<Value: Sendable>(_ box: DecodedBox<Value>, for type: Value.Type) {
    values.withLock { $0[ObjectIdentifier(type)] = box }
  }
}
