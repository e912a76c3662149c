/// Sorts keys byte by byte, which is their order in SQLite's tree.
enum KeyOrder {
  private struct Entry {
    /// The first eight bytes after the common prefix.
    let head: UInt64
    let index: Int
  }

  /// Returns the indices of the keys in ascending order of the keys.
  static func indices(of keys: [String]) -> [Int] {
    let common = commonLength(of: keys)
    var entries = keys.indices.map { Entry(head: head(of: keys[$0], from: common), index: $0) }
    entries.sort { left, right in
      left.head == right.head
        ? keys[left.index].utf8.lexicographicallyPrecedes(keys[right.index].utf8)
        : left.head < right.head
    }
    return entries.map(\.index)
  }

  /// Returns the length in bytes of the prefix that all keys share.
  ///
  /// Proof: `index` stays below the lengths of both keys, and no pointer leaves its closure.
  private static func commonLength(of keys: [String]) -> Int {
    let first = Array((keys.first ?? "").utf8)
    var common = first.count
    for var key in keys where common > 0 {
      common = key.withUTF8 { key in
        var index = 0
        while index < min(common, key.count), key[index] == first[index] { index += 1 }
        return index
      }
    }
    return common
  }

  /// Returns eight bytes of a key as a number, padded with zeros.
  ///
  /// Proof: only bytes below the key's length are read, and the pointer does not leave the closure.
  private static func head(of key: String, from start: Int) -> UInt64 {
    var key = key
    return key.withUTF8 { key in
      var head: UInt64 = 0
      for index in start..<start + 8 {
        head = head << 8 | UInt64(index < key.count ? key[index] : 0)
      }
      return head
    }
  }
}
