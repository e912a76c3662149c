package import WeirSupport

/// Writes the variables of a generated operation, or the fields of an input object, as canonical
/// JSON: without white space, with the keys in the order of their bytes.
///
/// Generated code calls the methods in that order, so nothing is sorted. The text is equal to what
/// encoding the same values by `Encodable` gives, so both are one entry in a cache.
public struct InputWriter: ~Copyable {
  private enum Step {
    case name(StaticString)
    case position(Int)
  }

  private var text = ShortText()
  /// The way to the object or the list that is being written, for errors and files.
  private var path: [Step] = []
  /// The member or the element of it. Outside of the array, which most variables then need not
  /// allocate.
  private var step: Step?
  private var isFirst = true
  private var attachments: [(path: [JSONPathKey], value: any JSONAttachment)] = []
  /// The first error; a value's `write(to:)` cannot throw, so that generated code stays small.
  private var failure: JSONEncodingError?

  /// Creates a writer of one object.
  public init() {
    text.append(UInt8(ascii: "{"))
  }

  /// Returns the object, and the attachments among its values.
  package consuming func finish() throws(JSONEncodingError) -> JSONWithAttachments {
    if let failure { throw failure }
    text.append(UInt8(ascii: "}"))
    return JSONWithAttachments(bytes: text.bytes, attachments: attachments)
  }

  /// Returns the object if there are no attachments and no error, and ends the writer; otherwise nil.
  package mutating func finishPlain() -> CompactBytes? {
    guard failure == nil, attachments.isEmpty else { return nil }
    text.append(UInt8(ascii: "}"))
    return text.bytes
  }
}

// MARK: - Members

extension InputWriter {
  /// Writes a member.
  @inlinable
  public mutating func write(_ name: StaticString, _ value: some InputValue) {
    begin(name)
    value.write(into: &self)
  }

  /// Writes a member; nothing if it is absent. Inlinable, because looking at the case of an unknown
  /// type takes longer than writing most values.
  @inlinable
  public mutating func write(_ name: StaticString, _ value: Input<some InputValue>) {
    switch value {
    case .absent: return
    case .null: writeNull(name)
    case .value(let value): write(name, value)
    }
  }

  @usableFromInline
  mutating func writeNull(_ name: StaticString) {
    begin(name)
    null()
  }

  /// Writes a member of any other type by `Encodable`.
  public mutating func encode(_ name: StaticString, _ value: some Encodable) {
    begin(name)
    encoded(value)
  }

  /// Writes a member of any other type by `Encodable`; nothing if it is absent.
  public mutating func encode<Value: Encodable>(_ name: StaticString, _ value: Input<Value>) {
    switch value {
    case .absent: return
    case .null: writeNull(name)
    case .value(let value): encode(name, value)
    }
  }

  @usableFromInline
  mutating func begin(_ name: StaticString) {
    if !isFirst { text.append(UInt8(ascii: ",")) }
    isFirst = false
    text.append(UInt8(ascii: "\""))
    // Proof: the bytes are copied before the closure returns. Names of GraphQL need no escapes.
    name.withUTF8Buffer { text.append(contentsOf: $0) }
    text.append(UInt8(ascii: "\""))
    text.append(UInt8(ascii: ":"))
    step = .name(name)
  }
}

// MARK: - Values

extension InputWriter {
  @usableFromInline
  mutating func null() { JSONText.append(ascii: "null", to: &text) }

  mutating func bool(_ value: Bool) {
    JSONText.append(ascii: value ? "true" : "false", to: &text)
  }

  mutating func string(_ value: String) { JSONText.append(value, to: &text) }

  mutating func integer(_ value: Int) { JSONText.append(value, to: &text) }

  mutating func number(_ value: Double) {
    guard value.isFinite else { return fail(.nonFiniteNumber) }
    JSONText.append(value, to: &text)
  }

  @inlinable
  mutating func list(_ values: [some InputValue]) {
    guard beginNested(UInt8(ascii: "[")) else { return }
    // Not `enumerated()`: code that is not specialized would look up its types for each element.
    for position in values.indices {
      beginElement(position)
      values[position].write(into: &self)
    }
    endNested(UInt8(ascii: "]"))
  }

  @inlinable
  mutating func object(_ value: some InputObject) {
    guard beginNested(UInt8(ascii: "{")) else { return }
    value.write(to: &self)
    endNested(UInt8(ascii: "}"))
  }

  /// Begins a list or an object, in which other steps are taken.
  @usableFromInline
  mutating func beginNested(_ bracket: UInt8) -> Bool {
    guard path.count + 1 < JSONParseOptions.deepest else {
      fail(.tooDeep)
      return false
    }
    if let step { path.append(step) }
    text.append(bracket)
    isFirst = true
    return true
  }

  @usableFromInline
  mutating func beginElement(_ position: Int) {
    if position > 0 { text.append(UInt8(ascii: ",")) }
    step = .position(position)
  }

  @usableFromInline
  mutating func endNested(_ bracket: UInt8) {
    text.append(bracket)
    isFirst = false
    step = path.popLast()
  }

  /// Writes a value by `Encodable`.
  package mutating func encoded(_ value: some Encodable) {
    do {
      let encoded = try JSON.encodeWithAttachments(
        value, with: SpareEncoding(), depth: path.count + 1)
      // Proof: the bytes are copied before the closure returns.
      encoded.bytes.withBytes { text.append(contentsOf: $0) }
      for attachment in encoded.attachments {
        attachments.append((keys + attachment.path, attachment.value))
      }
    } catch {
      if failure == nil { failure = JSONEncodingError(error, within: keys) }
    }
  }

  private var keys: [JSONPathKey] {
    (path + [step].compactMap(\.self)).map { step in
      switch step {
      case .name(let name): JSONPathKey("\(name)")
      case .position(let position): JSONPathKey(position)
      }
    }
  }

  private mutating func fail(_ reason: JSONEncodingError.Reason) {
    if failure == nil { failure = JSONEncodingError(reason: reason, path: keys) }
  }
}
