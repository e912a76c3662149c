/// The cells of a large object's members, so that a look-up need not walk over the members before
/// it.
final class MemberIndex {
  let object: TapeIndex
  let cells: [TapeIndex]

  /// The position after the key that was found last.
  var expected = 0

  /// The most members that an object without an index has.
  static let few = 16

  init(_ tape: JSONTape, object: TapeIndex) {
    self.object = object
    cells = Array(tape.children(of: object))
  }
}
