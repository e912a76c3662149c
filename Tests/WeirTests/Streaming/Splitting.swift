import TestSupport

/// Splits the same bytes in many ways.
enum Splitting {
  /// In one piece, byte by byte, in two pieces at every place, and in pieces of random sizes.
  static func all(_ bytes: [UInt8], rounds: Int = 20) -> [[[UInt8]]] {
    var ways = [[bytes], bytes.map { [$0] }]
    for place in bytes.indices { ways.append([Array(bytes[..<place]), Array(bytes[place...])]) }
    var random = SeededRandom(seed: UInt64(bytes.count))
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
}
