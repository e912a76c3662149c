extension DecodingSession {
  // Values by the index of their cell; nil if they are of another kind or do not fit. These
  // functions create no decoder, which would count references.

  @inline(__always)
  func kind(_ index: UInt32) -> JSONCell.Kind { withTape { $0[Int(index)].kind } }

  @inline(__always)
  func bool(_ index: UInt32) -> Bool? {
    withTape { $0.bool($0[Int(index)]) }
  }

  @inline(__always)
  func string(_ index: UInt32) -> String? {
    withTape { $0.stringValue($0[Int(index)]) }
  }

  @inline(__always)
  func double(_ index: UInt32) -> Double? {
    withTape { $0.double($0[Int(index)]) }
  }

  @inline(__always)
  func integer<Integer: FixedWidthInteger>(_ index: UInt32, as type: Integer.Type) -> Integer? {
    withTape { $0.integer($0[Int(index)], as: type) }
  }
}
