let lineFeed = UInt8(ascii: "\n")
let carriageReturn = UInt8(ascii: "\r")

extension [UInt8] {
  /// Returns the position of the first line feed, or of the first carriage return if that counts,
  /// at or after a position.
  func endOfLine(from start: Int, orCarriageReturn: Bool = false) -> Int? {
    // Proof: `at` is within `start..<bytes.count`, and the pointer does not leave the closure.
    withUnsafeBufferPointer { bytes in
      var at = start
      while at < bytes.count {
        if bytes[at] == lineFeed || orCarriageReturn && bytes[at] == carriageReturn { return at }
        at += 1
      }
      return nil
    }
  }
}
