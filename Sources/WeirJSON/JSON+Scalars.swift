extension JSON {
  /// Whether the value is `null`.
  public var isNull: Bool { cell.kind == .null }

  /// The value of `true` or `false`, else nil.
  public var bool: Bool? {
    switch cell.kind {
    case .true: true
    case .false: false
    default: nil
    }
  }

  /// The exact value of a number that is an integer from -2^63 to 2^63 - 1 (`1.0` is one), else
  /// nil. The number is converted at each call.
  public var int: Int64? {
    withTape { tape, index in tape.integer(tape[index]) }
  }

  /// The exact value of a number that is an integer from 0 to 2^64 - 1, else nil.
  public var uint: UInt64? {
    withTape { tape, index in tape.integer(tape[index]) }
  }

  /// The `Double` nearest to a number, else nil. It is never infinite.
  public var double: Double? {
    withTape { tape, index in tape.double(tape[index]) }
  }

  /// The content of a string, else nil. A new `String` is made at each call.
  public var string: String? {
    withTape { tape, index in
      tape[index].kind == .string ? tape.string(tape[index]) : nil
    }
  }

  /// The value's own slice of the document's text, a string's quotes included; spaces and repeated
  /// members that it contains are in it too.
  public var bytes: ArraySlice<UInt8> {
    let cell = cell
    let quote = cell.kind == .string ? 1 : 0
    return document.bytes[cell.offset - quote..<cell.offset + cell.length + quote]
  }
}
