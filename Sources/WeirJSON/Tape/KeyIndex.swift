internal import WeirSupport

/// Finds keys in one key list, so that many look-ups in a long list do not compare all keys each time.
///
/// A look-up begins at the key that is expected. After several in which that was another one, the index
/// notes where all keys are.
struct KeyIndex {
  /// As many keys or look-ups cost less than to note where all keys are.
  static let few = 16

  /// How many look-ups have expected another key.
  private var misses = 0
  private var positions: [ExactString: Int] = [:]

  /// Returns the position of a key, or nil. All look-ups are in the same list.
  mutating func position(
    of key: UnsafeBufferPointer<UInt8>, in list: Int, startingAt start: Int, _ tape: JSONTape
  ) -> Int? {
    let count = tape.keyCount(list)
    if start < count, tape.matches(tape.key(list, start), key) { return start }
    misses += 1
    guard misses > Self.few, count > Self.few else {
      return tape.position(of: key, in: list, startingAt: start)
    }
    if positions.isEmpty {
      positions.reserveCapacity(count)
      for position in 0..<count {
        positions[ExactString(tape.string(tape.key(list, position)))] = position
      }
    }
    return positions[ExactString(String(decoding: key, as: UTF8.self))]
  }
}
