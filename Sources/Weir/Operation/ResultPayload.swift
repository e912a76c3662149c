/// The part of a result that its copies and caches share: data and errors, and the values that were
/// decoded from the data.
@usableFromInline
package final class ResultPayload: Sendable {
  /// The parsed document; nil without data, and for data of which only the text is kept.
  private let document: OnceReference<JSONDocument>
  private let text: KeptText
  /// Where the data is in the document.
  private let index: TapeIndex
  private let packedTiming: PackedTiming
  private let rare: OnceReference<Rare>
  /// The value of the first type that the data was decoded as, which is nearly always the only one.
  /// Read without a lock.
  private let firstDecoded: OnceReference<DecodedValue>

  /// The parts that few results have.
  private final class Rare: Sendable {
    let fields: Fields
    let otherDecoded = OnceReference<OtherDecoded>()

    init(_ fields: Fields) {
      self.fields = fields
    }
  }

  private final class OtherDecoded: Sendable {
    let values = Locked<[ObjectIdentifier: DecodedValue]>([:])
  }

  /// The parts that few results have beside the data. Copies of a payload keep all of them.
  struct Fields: Sendable {
    var error: OperationError?
    var extensions: JSON?
    var retention: Duration?
    var missingPaths: [[GraphQLError.PathElement]] = []
    fileprivate var elements: DecodedElements?
    /// The payload of a cache with the same data, which gets the value that is decoded here.
    fileprivate var origin: ResultPayload?

    fileprivate var isPlain: Bool {
      error == nil && extensions == nil && retention == nil && missingPaths.isEmpty
        && elements == nil && origin == nil
    }
  }

  package var data: JSON? {
    if let document = document.load() { return JSON(document: document, index: index) }
    // The text was parsed before, so parsing it cannot fail.
    guard let parsed = text.bytes.flatMap({ try? JSONDocument.parse($0) }) else { return nil }
    return JSON(document: document.storeIfNil(parsed), index: index)
  }

  /// Whether there is data. Parses nothing.
  var hasData: Bool { text.exists || document.load() != nil }

  var timing: ResultTiming? { packedTiming.value }
  @usableFromInline
  package var error: OperationError? { rare.load()?.fields.error }
  var extensions: JSON? { rare.load()?.fields.extensions }
  var retention: Duration? { rare.load()?.fields.retention }
  /// The paths where the data is null because a cache lacks them.
  package var missingPaths: [[GraphQLError.PathElement]] { rare.load()?.fields.missingPaths ?? [] }
  /// The decoded elements of long lists, which newer data can use again; nil if it cannot.
  package var elements: DecodedElements? { rare.load()?.fields.elements }

  /// Makes the payload of a new result.
  package convenience init(
    data: JSON?, error: OperationError? = nil, extensions: JSON? = nil,
    timing: ResultTiming? = nil, retention: Duration? = nil,
    missingPaths: [[GraphQLError.PathElement]] = [], elements: DecodedElements? = nil
  ) {
    self.init(
      data, PackedTiming(timing),
      Fields(
        error: error, extensions: extensions, retention: retention, missingPaths: missingPaths,
        elements: elements))
  }

  private init(
    _ data: JSON?, _ timing: PackedTiming, _ fields: Fields, decoded: DecodedValue? = nil
  ) {
    document = OnceReference(data?.document)
    text = KeptText()
    index = data?.index ?? .root
    packedTiming = timing
    rare = OnceReference(fields.isPlain ? nil : Rare(fields))
    firstDecoded = OnceReference(decoded)
  }

  /// Creates the same payload with the text of the data only, which takes about half the memory.
  private init(textOf data: JSON, _ other: ResultPayload) {
    document = OnceReference()
    text = KeptText(data.document.bytes)
    index = data.index
    packedTiming = other.packedTiming
    rare = OnceReference()
    firstDecoded = OnceReference(other.firstDecodedValue)
  }

  private var fields: Fields { rare.load()?.fields ?? Fields() }

  /// Returns a copy with other fields.
  func changing(_ change: (inout Fields) -> Void) -> ResultPayload {
    var fields = fields
    change(&fields)
    return ResultPayload(data, packedTiming, fields, decoded: firstDecodedValue)
  }

  func with(timing: ResultTiming?) -> ResultPayload {
    ResultPayload(data, PackedTiming(timing), fields, decoded: firstDecodedValue)
  }

  /// Returns a copy with new data.
  func with(data: JSON?) -> ResultPayload {
    var fields = fields
    (fields.elements, fields.origin) = (nil, nil)
    if data == nil { fields.missingPaths = [] }
    return ResultPayload(data, packedTiming, fields)
  }

  /// Returns a copy with the data of another payload, and what was decoded from it. If `isShared`, that one
  /// gets what is decoded here first.
  func with(dataOf other: ResultPayload, isShared: Bool) -> ResultPayload {
    let (others, decoded) = (other.fields, other.firstDecodedValue)
    var fields = fields
    (fields.missingPaths, fields.elements) = (others.missingPaths, others.elements)
    // The first one has the same data. A chain would grow with each refetch that fails.
    fields.origin = isShared && decoded == nil ? others.origin ?? other : nil
    return ResultPayload(other.data, packedTiming, fields, decoded: decoded)
  }

  /// Returns a copy that keeps only the text and the decoded value, and parses again on demand; nil if
  /// that saves nothing, or parsing would take long.
  package func compacted() -> ResultPayload? {
    guard rare.load() == nil, let document = document.load(), document.isParsed,
      document.bytes.count <= 4096
    else { return nil }
    return ResultPayload(textOf: JSON(document: document, index: index), self)
  }

  /// Returns the data as a value of a type, which is decoded once per type and then kept.
  @inlinable
  package func decoded<Value: Decodable & Sendable>(
    as type: Value.Type
  ) throws(OperationError) -> Value? {
    if let known = firstDecodedValue?.value(as: type) { return known }
    return try decodedFirst(as: type)
  }

  /// Whether a type fits the data, if there is any and it came without an error.
  @inlinable
  func fits<Value: Decodable & Sendable>(_ type: Value.Type) -> Bool {
    firstDecodedValue?.type == ObjectIdentifier(type) || canDecode(type)
  }

  @usableFromInline
  func canDecode<Value: Decodable & Sendable>(_ type: Value.Type) -> Bool {
    guard error == nil else { return true }
    do throws(OperationError) {
      _ = try decoded(as: type)
      return true
    } catch {
      return false
    }
  }

  @usableFromInline var firstDecodedValue: DecodedValue? { firstDecoded.load() }

  /// The name of a type, with those of the types around it: all generated operations have a `Data`.
  private static func name(of type: any Any.Type) -> String {
    let name = String(reflecting: type)
    // Generic types, and types of functions, have names that nobody would recognize.
    return name.contains { "<( ".contains($0) }
      ? "\(type)" : name.split(separator: ".").dropFirst().joined(separator: ".")
  }

  @usableFromInline
  func decodedFirst<Value: Decodable & Sendable>(
    as type: Value.Type
  ) throws(OperationError) -> Value? {
    guard let data else { return nil }
    let others = rare.load()?.otherDecoded.load()
    if let known = others?.values.withLock({ $0[ObjectIdentifier(type)] })?.value(as: type) {
      return known
    }
    let origin = rare.load()?.fields.origin
    if let known = origin?.firstDecodedValue?.value(as: type) { return known }
    let value: Value
    do {
      value = try data.decode(type, reusing: elements)
    } catch {
      throw OperationError(
        code: .decoding,
        message: "The data does not fit \(Self.name(of: type)): \(error.descriptionWithoutValue)",
        underlying: error)
    }
    let box = DecodedBox(value)
    _ = origin?.firstDecoded.storeIfNil(box)
    let first = firstDecoded.storeIfNil(box)
    if first !== box {
      // Another caller has decoded the same at the same time.
      if let known = first.value(as: type) { return known }
      let rare = rare.load() ?? rare.storeIfNil(Rare(Fields()))
      let others = rare.otherDecoded.storeIfNil(OtherDecoded())
      // The box of another caller is kept, because nothing of the app is released under a lock.
      let kept = others.values.withLock { values in
        if let known = values[ObjectIdentifier(type)] { return known }
        values[ObjectIdentifier(type)] = box
        return box
      }
      return kept.value(as: type) ?? value
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
