/// Splits the same bytes in many ways.
enum Splitting {
  /// In one piece, byte by byte, in two pieces at every place, and in pieces of random sizes.
  static func all(_ bytes: [UInt8], rounds: Int = 20) -> [[[UInt8]]] {
    var ways = [[bytes], bytes.map { [$0] }]
    for place in bytes.indices { ways.append([Array(bytes[..<place]), Array(bytes[place...])]) }
    var random = Random(state: UInt64(bytes.count))
    for _ in 0..<rounds {
      var pieces: [[UInt8]] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        let size = min(Int(random.next() % 12), rest.count)
        pieces.append(Array(rest.prefix(size)))
        rest = rest.dropFirst(size)
      }
      ways.append(pieces)
    }
    return ways
  }

  private struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }
}
