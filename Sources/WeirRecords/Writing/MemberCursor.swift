import Weir

/// Moves along the members of an object.
struct MemberCursor {
  private var position = 0
  private var value: TapeIndex

  @inline(__always)
  init(_ object: TapeIndex, _ tape: JSONTape) {
    value = tape.firstChild(object)
  }

  /// The value of the member at a position, which must not precede the previous one.
  @inline(__always)
  mutating func move(to target: Int, _ tape: JSONTape) -> TapeIndex {
    while position < target {
      value = tape.next(value)
      position += 1
    }
    return value
  }
}
