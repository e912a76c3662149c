/// The cells of a large object's members, so that a look-up need not walk over the members before
/// it.
package final class MemberIndex {
  package let object: TapeIndex
  let cells: [TapeIndex]

  /// The position of the key that was found last.
  private var last = -1
  private var keys = KeyIndex()

  /// The most members that an object without an index has.
  static let few = KeyIndex.few

  package init(_ tape: JSONTape, object: TapeIndex) {
    self.object = object
    cells = Array(tape.children(of: object))
  }

  /// Returns the value of the member with a key, which is that of the last look-up, or the next one,
  /// for most types.
  package func find(
    _ key: UnsafeBufferPointer<UInt8>, in list: Int, _ tape: JSONTape
  ) -> TapeIndex? {
    if last + 1 < cells.count, tape.matches(tape.key(list, last + 1), key) {
      last += 1
    } else if last < 0 || !tape.matches(tape.key(list, last), key) {
      guard let position = keys.position(of: key, in: list, startingAt: last + 1, tape) else {
        return nil
      }
      last = position
    }
    return cells[last]
  }
}
