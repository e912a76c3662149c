internal import WeirSupport

/// The cells of a large object's members, so that a look-up need not walk over the members before
/// it.
final class MemberIndex {
  let object: TapeIndex
  private let cells: [TapeIndex]

  /// The position of the key that was found last.
  private var last = -1
  /// How many look-ups have found neither that key nor the one after it.
  private var misses = 0
  /// The position of each key, after several such look-ups.
  private var positions: [ExactString: Int] = [:]

  /// The most members that an object without an index has.
  static let few = 16

  init(_ tape: JSONTape, object: TapeIndex) {
    self.object = object
    cells = Array(tape.children(of: object))
  }

  /// Returns the value of the member with a key, which is that of the last look-up, or the next one,
  /// for most types.
  func find(
    _ key: UnsafeBufferPointer<UInt8>, in list: Int, _ tape: JSONTape
  ) -> TapeIndex? {
    if last + 1 < cells.count, tape.matches(tape.key(list, last + 1), key) {
      last += 1
    } else if last < 0 || !tape.matches(tape.key(list, last), key) {
      guard let position = search(key, in: list, tape) else { return nil }
      last = position
    }
    return cells[last]
  }

  private func search(
    _ key: UnsafeBufferPointer<UInt8>, in list: Int, _ tape: JSONTape
  ) -> Int? {
    misses += 1
    guard misses > Self.few else { return tape.position(of: key, in: list, startingAt: last + 1) }
    if positions.isEmpty {
      for position in cells.indices {
        positions[ExactString(tape.string(tape.key(list, position)))] = position
      }
    }
    return positions[ExactString(String(decoding: key, as: UTF8.self))]
  }
}
