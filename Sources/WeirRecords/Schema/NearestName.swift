/// Finds what a misspelled name probably stands for.
package enum NearestName {
  /// Returns the most similar of some names, unless all are quite different.
  package static func of(_ name: String, among names: some Sequence<String>) -> String? {
    let letters = letters(of: name)
    let limit = letters.count < 3 ? 0 : letters.count / 3
    let near = names.map { ($0, distance(letters, self.letters(of: $0))) }.filter { $0.1 <= limit }
    return near.min { $0.1 != $1.1 ? $0.1 < $1.1 : $0.0 < $1.0 }?.0
  }

  /// Whether two names are so similar that one is probably a misspelling of the other. A singular and
  /// its plural are not: an API often has both.
  static func isMisspelling(_ name: String, of other: String) -> Bool {
    let (one, two) = (letters(of: name), letters(of: other))
    if one == two { return name != other }
    let (short, long) = one.count < two.count ? (one, two) : (two, one)
    guard short.count >= 4, long != short + ["s"], long != short + ["e", "s"] else { return false }
    return distance(one, two) <= (short.count >= 8 ? 2 : 1)
  }

  /// Whether two names differ only by capitals and underscores.
  static func isSpelling(_ name: String, of other: String) -> Bool {
    name != other && letters(of: name) == letters(of: other)
  }

  private static func letters(of name: String) -> [Character] {
    name.lowercased().filter { $0 != "_" }
  }

  /// How many letters must be added, removed, replaced or exchanged with their neighbours.
  private static func distance(_ one: [Character], _ two: [Character]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...two.count)
    for i in one.indices {
      var row = [i + 1]
      for j in two.indices {
        var best = min(row[j] + 1, last[j + 1] + 1, last[j] + (one[i] == two[j] ? 0 : 1))
        if i > 0, j > 0, one[i] == two[j - 1], one[i - 1] == two[j] {
          best = min(best, beforeLast[j - 1] + 1)
        }
        row.append(best)
      }
      (beforeLast, last) = (last, row)
    }
    return last[two.count]
  }
}
