/// Names that are similar to a misspelled one, as graphql-js finds them.
package enum Suggestions {
  /// Returns the candidates with a small edit distance to `name`, the nearest first.
  package static func similar(to name: String, among candidates: some Sequence<String>) -> [String]
  {
    let threshold = name.unicodeScalars.count * 4 / 10 + 1
    let input = Array(name.lowercased().unicodeScalars)
    var distances: [(name: String, distance: Int)] = []
    for candidate in Set(candidates) {
      if let distance = distance(name, input, candidate, threshold) {
        distances.append((candidate, distance))
      }
    }
    return distances.sorted {
      $0.distance != $1.distance
        ? $0.distance < $1.distance : naturallyPrecedes($0.name, $1.name)
    }.map(\.name)
  }

  /// Returns ` Did you mean "a", "b", or "c"?` with at most five names, or nothing.
  package static func question(_ names: [String], _ subject: String = "") -> String {
    guard !names.isEmpty else { return "" }
    return " Did you mean \(subject)\(list(names.prefix(5).map { "\"\($0)\"" }, "or"))?"
  }

  /// Returns ` Did you mean "a", "b", or "c"?` with the candidates that are similar to a misspelled
  /// name, or nothing.
  package static func question(
    similarTo name: String, among candidates: some Sequence<String>
  ) -> String {
    question(similar(to: name, among: candidates))
  }

  /// Joins the items of an enumeration in a sentence.
  static func list(_ items: [String], _ conjunction: String) -> String {
    switch items.count {
    case 0: ""
    case 1: items[0]
    case 2: "\(items[0]) \(conjunction) \(items[1])"
    default: items.dropLast().joined(separator: ", ") + ", \(conjunction) \(items[items.count - 1])"
    }
  }
}

extension Suggestions {
  /// Whether a name is before another one if the digits in them are compared as numbers.
  static func naturallyPrecedes(_ left: String, _ right: String) -> Bool {
    let (a, b) = (Array(left.unicodeScalars), Array(right.unicodeScalars))
    var (i, j) = (0, 0)
    while i < a.count, j < b.count {
      let (x, y) = (number(in: a, from: i), number(in: b, from: j))
      if let x, let y {
        if x.digits.count != y.digits.count { return x.digits.count < y.digits.count }
        if x.digits != y.digits { return x.digits.lexicographicallyPrecedes(y.digits) }
        (i, j) = (x.end, y.end)
      } else if a[i] != b[j] {
        return a[i] < b[j]
      } else {
        (i, j) = (i + 1, j + 1)
      }
    }
    return a.count - i < b.count - j
  }

  private static func number(
    in text: [Unicode.Scalar], from start: Int
  ) -> (digits: [Unicode.Scalar], end: Int)? {
    var end = start
    while end < text.count, ("0"..."9").contains(text[end]) { end += 1 }
    return end == start ? nil : (Array(text[start..<end].drop { $0 == "0" }), end)
  }

  /// The number of edits (insertions, deletions, substitutions and swaps of neighbours) between two
  /// names; nil if they are more than the threshold.
  private static func distance(
    _ name: String, _ input: [Unicode.Scalar], _ candidate: String, _ threshold: Int
  ) -> Int? {
    if name == candidate { return 0 }
    let option = Array(candidate.lowercased().unicodeScalars)
    if option == input { return 1 }
    if abs(option.count - input.count) > threshold { return nil }
    let (a, b) = option.count < input.count ? (input, option) : (option, input)
    var rows = [Array(0...b.count), Array(repeating: 0, count: b.count + 1), []]
    rows[2] = rows[1]
    for i in a.indices {
      let (before, above, row) = ((i + 2) % 3, i % 3, (i + 1) % 3)
      rows[row][0] = i + 1
      for j in b.indices {
        let cost = a[i] == b[j] ? 0 : 1
        var cell = min(rows[above][j + 1] + 1, rows[row][j] + 1, rows[above][j] + cost)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          cell = min(cell, rows[before][j - 1] + 1)
        }
        rows[row][j + 1] = cell
      }
      if (rows[row].min() ?? 0) > threshold { return nil }
    }
    let distance = rows[a.count % 3][b.count]
    return distance <= threshold ? distance : nil
  }
}
