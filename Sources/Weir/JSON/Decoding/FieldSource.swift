/// Where a ``FieldReader`` can read from beside documents: the records of a cache.
///
/// It serves one call, on one thread. What it does not know how to answer as a document would, it
/// gives up, and so does the reader at the first error: then the call counts for nothing, and what is
/// asked for is decoded from a document, which has the same values and the right errors.
package protocol FieldSource: AnyObject {
  /// Looks for a field of the object that `place` is in, and puts its value into the place.
  ///
  /// - Returns: false if the object has no such field, or if the source has given up.
  func find(_ name: StaticString, _ place: inout SourcePlace) -> Bool

  /// A place's value, which is a string, and has its text elsewhere.
  func string(_ place: SourcePlace) -> String

  /// The text of a place's value that has it elsewhere.
  func withText(_ place: SourcePlace, _ body: (UnsafeBufferPointer<UInt8>) -> Void)

  /// The object that a place's value is; nil if it is none.
  func object(_ place: SourcePlace) -> SourcePlace?

  /// The list that a place's value is; nil if it is none.
  func list(_ place: SourcePlace) -> SourceList?

  /// The next element of a list; nil if it is no object.
  func next(_ list: inout SourceList) -> SourcePlace?

  /// The fields of an object have been read.
  ///
  /// - Returns: whether those that nobody has asked for are there, too.
  func end(_ place: SourcePlace) -> Bool

  /// Notes that the call counts for nothing.
  ///
  /// - Returns: what is thrown then.
  func giveUp() -> any Error
}

/// An object of a source, and the field that was found last.
package struct SourcePlace {
  /// The object. Only the source knows what it means, as with the next two.
  package let object: UInt64
  package let shape: UnsafeRawPointer?
  /// The field after the one that was found last.
  package var position: UInt32 = 0
  /// A bit for each field that was asked for.
  package var asked: UInt64 = 0
  /// Of the field that was found last.
  package var value = SourceValue(.null)

  package init(object: UInt64 = 0, shape: UnsafeRawPointer? = nil) {
    self.object = object
    self.shape = shape
  }
}

/// A list of a source, and the element that comes next.
package struct SourceList {
  /// The field that holds it.
  package let place: SourcePlace
  package let count: Int
  package var position = 0

  package init(_ place: SourcePlace = SourcePlace(), count: Int = 0) {
    self.place = place
    self.count = count
  }
}

/// The value of a field in a source.
package struct SourceValue {
  package enum Kind: UInt8 {
    case null, `false`, `true`, number, string, object, list
    /// An array or an object that is read as a whole.
    case json
  }

  package let kind: Kind
  /// As of a `JSONCell`.
  package let isMarked: Bool
  /// How many bytes of text are in `low` and `high`, the first one lowest; negative if the text is
  /// elsewhere.
  package let inlineLength: Int8
  package let low: UInt64
  package let high: UInt64

  package init(
    _ kind: Kind, isMarked: Bool = false, inlineLength: Int8 = -1, low: UInt64 = 0,
    high: UInt64 = 0
  ) {
    self.kind = kind
    self.isMarked = isMarked
    self.inlineLength = inlineLength
    self.low = low
    self.high = high
  }

  var bool: Bool? {
    switch kind {
    case .true: true
    case .false: false
    default: nil
    }
  }
}

extension FieldSource {
  /// An object as a type that reads its fields itself.
  package func value<Value: SelectionDecodable>(
    _ type: Value.Type, at place: SourcePlace
  ) throws -> Value {
    var fields = FieldReader(self, place)
    defer { withExtendedLifetime(self) {} }
    return try fields.value(type)
  }
}

// Not methods of the protocol: those would be generic over the source, and look types up at each call.

extension SourcePlace {
  /// A string; nil for any other value.
  @inline(__always)
  func string(_ source: any FieldSource) -> String? {
    guard value.kind == .string else { return nil }
    return value.inlineLength < 0 ? source.string(self) : value.withInlineText { $0.string }
  }

  /// The exact value of a number that is an integer and fits; else nil.
  @inline(__always)
  func integer<Integer: FixedWidthInteger>(
    _ source: any FieldSource, as type: Integer.Type = Integer.self
  ) -> Integer? {
    guard value.kind == .number else { return nil }
    if value.inlineLength >= 0 { return value.withInlineText { $0.integer(as: type) } }
    var integer: Integer?
    withText(source) { integer = $0.integer(as: type) }
    return integer
  }

  /// The nearest `Double`; nil for what is no number.
  @inline(__always)
  func double(_ source: any FieldSource) -> Double? {
    guard value.kind == .number else { return nil }
    if value.inlineLength >= 0 { return value.withInlineText { $0.double } }
    var double: Double?
    withText(source) { double = $0.double }
    return double
  }

  /// The text of the value, as it is spelled in JSON, without quotes.
  func bytes(_ source: any FieldSource) -> [UInt8] {
    if value.inlineLength >= 0 { return value.withInlineText { Array($0.text) } }
    var bytes: [UInt8] = []
    withText(source) { bytes = Array($0.text) }
    return bytes
  }

  @inline(never)
  private func withText(_ source: any FieldSource, _ body: (JSONScalarText) -> Void) {
    source.withText(self) { body(JSONScalarText(text: $0, isMarked: value.isMarked)) }
  }
}

extension SourceValue {
  @inline(__always)
  fileprivate func withInlineText<Result>(_ body: (JSONScalarText) -> Result) -> Result {
    withUnsafeBytes(of: (low.littleEndian, high.littleEndian)) { bytes in
      bytes.withMemoryRebound(to: UInt8.self) { bytes in
        // Proof: at most 14 of the 16 bytes are text.
        body(
          JSONScalarText(
            text: UnsafeBufferPointer(rebasing: bytes[..<Int(inlineLength)]), isMarked: isMarked))
      }
    }
  }
}
