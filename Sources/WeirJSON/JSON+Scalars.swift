extension JSON {
  /// Whether the value is `null`.
  public var isNull: Bool { cell.kind == .null }

  /// The value of `true` or `false`; otherwise nil.
  public var bool: Bool? {
    withTape { tape, index in tape.bool(tape[index]) }
  }

  /// The exact value of an integer from -2^63 to 2^63 - 1 (`1.0` is one); otherwise nil. Each call
  /// converts the number.
  public var int: Int64? {
    withTape { tape, index in tape.integer(tape[index]) }
  }

  /// The exact value of an integer from 0 to 2^64 - 1; otherwise nil.
  public var uint: UInt64? {
    withTape { tape, index in tape.integer(tape[index]) }
  }

  /// The `Double` nearest to a number; nil for other values. It is never infinite.
  public var double: Double? {
    withTape { tape, index in tape.double(tape[index]) }
  }

  /// The content of a string; nil for other values. Each call creates a `String`.
  public var string: String? {
    withTape { tape, index in tape.stringValue(tape[index]) }
  }

  /// The part of the document's text that the value stands for, including a string's quotes, white
  /// space and repeated members.
  public var bytes: ArraySlice<UInt8> {
    let cell = cell
    let quote = cell.kind == .string ? 1 : 0
    return document.bytes[cell.offset - quote..<cell.offset + cell.length + quote]
  }
}
