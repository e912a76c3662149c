/// The header fields of a request or response, in order. Names are not case-sensitive.
///
/// A name may occur more than once. Comparison and hashing ignore the case of names, but neither
/// the case of values nor the order. `URLSession` does not report the order of response headers and
/// joins repeated fields, so do not rely on either.
public struct HTTPHeaders: Sendable, Hashable {
  /// One header field.
  public struct Field: Sendable, Hashable {
    /// The name in its original spelling.
    public let name: String
    /// The value.
    public let value: String

    /// Returns whether the names are equal except for case, and the values have the same bytes.
    public static func == (left: Field, right: Field) -> Bool {
      ExactString(left.value) == ExactString(right.value) && left.isNamed(right.name)
    }

    /// Hashes the lower-cased name and the value.
    public func hash(into hasher: inout Hasher) {
      for byte in name.utf8 { hasher.combine(lowercased(byte)) }
      hasher.combine(value)
    }

    package func isNamed(_ other: String) -> Bool {
      ExactString(name) == ExactString(other)
        || name.utf8.count == other.utf8.count
          && name.utf8.elementsEqual(other.utf8) { lowercased($0) == lowercased($1) }
    }
  }

  private var fields: [Field] = []

  /// Creates an empty list.
  public init() {}

  /// The value of a field, or nil. If the field occurs more than once, the values are joined by
  /// commas (RFC 9110, section 5.3). Setting a value replaces all fields of this name.
  public subscript(name: String) -> String? {
    get {
      var value: String?
      for field in fields where field.isNamed(name) {
        // Appended in place: a copy for each field would cost the square.
        if value == nil { value = field.value } else { value?.append(", \(field.value)") }
      }
      return value
    }
    set {
      let first = fields.firstIndex { $0.isNamed(name) }
      if first != nil { fields.removeAll { $0.isNamed(name) } }
      guard let newValue else { return }
      fields.insert(Field(name: name, value: newValue), at: first ?? fields.endIndex)
    }
  }

  /// Returns all values of a field, in order.
  public func values(of name: String) -> [String] {
    fields.filter { $0.isNamed(name) }.map(\.value)
  }

  /// Adds a field, and keeps other fields of the same name.
  public mutating func add(_ name: String, _ value: String) {
    fields.append(Field(name: name, value: value))
  }

  /// Adds every field of `other`, in place of the fields of the same names.
  public mutating func merge(_ other: HTTPHeaders) {
    if other.isEmpty { return }
    fields.removeAll { field in other.fields.contains { $0.isNamed(field.name) } }
    fields += other.fields
  }
}

extension HTTPHeaders: RandomAccessCollection {
  /// The position of the first field: 0.
  public var startIndex: Int { fields.startIndex }
  /// The number of fields.
  public var endIndex: Int { fields.endIndex }
  /// The field at a position.
  public subscript(position: Int) -> Field { fields[position] }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
  /// Creates a list from a literal, in its order.
  public init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { add(name, value) }
  }
}

extension HTTPHeaders {
  /// The first field that must not be sent: its name is not a token (RFC 9110, section 5.6.2), or
  /// its value contains a line break or another control character (section 5.5), which could add
  /// further fields.
  var firstInvalidName: String? {
    fields.first { field in
      !Self.isToken(field.name)
        || !field.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }?.name
  }

  /// Whether the text is a name of a header field or of a method.
  static func isToken(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy(isTokenByte)
  }
}

private func isTokenByte(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"):
    true
  default:
    "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }
}

private func lowercased(_ byte: UInt8) -> UInt8 {
  (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
}

extension Substring {
  /// The text without the spaces and tabs around it (RFC 9110, section 5.6.3).
  var trimmedWhitespace: Substring {
    func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    var bytes = utf8.drop(while: isSpace)
    while let last = bytes.last, isSpace(last) { bytes.removeLast() }
    return Substring(bytes)
  }

  /// Whether the text consists of ASCII digits, at least one.
  var isDecimal: Bool { !isEmpty && utf8.allSatisfy { $0 &- 48 < 10 } }
}
