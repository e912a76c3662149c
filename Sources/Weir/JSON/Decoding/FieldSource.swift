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
  package let shape: UInt32
  /// The field after the one that was found last.
  package var position: UInt32 = 0
  /// A bit for each field that was asked for.
  package var asked: UInt64 = 0
  /// Of the field that was found last.
  package var value = SourceValue(.null)

  package init(object: UInt64 = 0, shape: UInt32 = 0) {
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

  /// A string; nil for any other value.
  @inline(__always)
  func string(_ place: SourcePlace) -> String? {
    guard place.value.kind == .string else { return nil }
    return withScalar(place) { $0.string }
  }

  /// The exact value of a number that is an integer and fits; else nil.
  @inline(__always)
  func integer<Integer: FixedWidthInteger>(
    _ place: SourcePlace, as type: Integer.Type = Integer.self
  ) -> Integer? {
    guard place.value.kind == .number else { return nil }
    return withScalar(place) { $0.integer(as: type) }
  }

  /// The nearest `Double`; nil for what is no number.
  @inline(__always)
  func double(_ place: SourcePlace) -> Double? {
    guard place.value.kind == .number else { return nil }
    return withScalar(place) { $0.double }
  }

  /// The text of a place's value, as it is spelled in JSON, without quotes.
  func bytes(of place: SourcePlace) -> [UInt8] { withScalar(place) { Array($0.text) } ?? [] }

  @inline(__always)
  private func withScalar<Result>(
    _ place: SourcePlace, _ body: (JSONScalarText) -> Result?
  ) -> Result? {
    let value = place.value
    if value.inlineLength >= 0 {
      let words = (value.low.littleEndian, value.high.littleEndian)
      return withUnsafeBytes(of: words) { bytes in
        bytes.withMemoryRebound(to: UInt8.self) { bytes in
          // Proof: at most 14 of the 16 bytes are text.
          body(
            JSONScalarText(
              text: UnsafeBufferPointer(rebasing: bytes[..<Int(value.inlineLength)]),
              isMarked: value.isMarked))
        }
      }
    }
    var result: Result?
    withText(place) { result = body(JSONScalarText(text: $0, isMarked: value.isMarked)) }
    return result
  }
}
