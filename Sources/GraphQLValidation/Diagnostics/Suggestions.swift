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
    let distance = edits(input, option, threshold)
    return distance <= threshold ? distance : nil
  }

  /// The number of edits, or any larger number than the threshold. Only the cells near the diagonal
  /// are computed: a cell that is further from it than the threshold needs more edits.
  private static func edits(
    _ a: [Unicode.Scalar], _ b: [Unicode.Scalar], _ threshold: Int
  ) -> Int {
    let (width, more) = (b.count + 1, threshold + 1)
    // Three rows of the table, one after the other: the cells of the row, the one above, and the one
    // above that.
    var cells = Array(repeating: more, count: 3 * width)
    for j in 0...min(b.count, threshold) { cells[j] = j }
    for i in 1..<(a.count + 1) {
      let (before, above, row) = ((i + 1) % 3 * width, (i + 2) % 3 * width, i % 3 * width)
      let (first, last) = (max(0, i - threshold), min(b.count, i + threshold))
      // The cells beside the band are from another row.
      if first > 0 { cells[row + first - 1] = more }
      var least = more
      for j in first...last {
        var cell = i
        if j > 0 {
          let isEqual = a[i - 1] == b[j - 1]
          cell = min(
            cells[above + j] + 1, cells[row + j - 1] + 1, cells[above + j - 1] + (isEqual ? 0 : 1))
          if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
            cell = min(cell, cells[before + j - 2] + 1)
          }
        }
        cells[row + j] = cell
        least = min(least, cell)
      }
      if last < b.count { cells[row + last + 1] = more }
      if least > threshold { return more }
    }
    return cells[a.count % 3 * width + b.count]
  }
}
