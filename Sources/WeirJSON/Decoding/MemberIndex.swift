/// Where the values of a large object's members are, so that no look-up walks over them again.
final class MemberIndex {
  let object: Int
  let cells: [UInt32]

  /// The position after the key that was found last.
  var expected = 0

  /// Objects with no more members than this get no index.
  static let few = 16

  init(_ tape: JSONTape, object: Int) {
    self.object = object
    var index = tape.firstChild(object)
    cells = (0..<tape.keyCount(tape.keyList(object))).map { _ in
      defer { index = tape.next(index) }
      return UInt32(truncatingIfNeeded: index)
    }
  }
}
