extension JSON: Equatable {
  /// Returns whether both values mean the same; see `JSON`.
  public static func == (left: JSON, right: JSON) -> Bool {
    left.isEqual(to: right, inAllDigits: false)
  }

  /// Returns whether both values mean the same, and each number has the same digits: a `Decimal` shows more
  /// of them than a `Double`.
  package func isEqualInAllDigits(to other: JSON) -> Bool {
    isEqual(to: other, inAllDigits: true)
  }

  private func isEqual(to other: JSON, inAllDigits: Bool) -> Bool {
    if isIdentical(to: other) { return true }
    return withTape { tape, index in
      other.withTape { otherTape, otherIndex in
        TapeComparison(left: tape, right: otherTape, comparesDigits: inAllDigits)
          .isEqual(index, otherIndex)
      }
    }
  }
}

/// Compares values of two tapes.
private struct TapeComparison {
  let left: JSONTape
  let right: JSONTape
  let comparesDigits: Bool

  func isEqual(_ one: TapeIndex, _ other: TapeIndex) -> Bool {
    let cell = left[one]
    let otherCell = right[other]
    guard cell.kind == otherCell.kind else { return false }
    if cell.length == otherCell.length, bytesAreEqual(left.text(cell), right.text(otherCell)) {
      return true
    }
    switch cell.kind {
    case .null, .true, .false: return true
    case .number: return isEqualNumber(cell, otherCell)
    case .string:
      return (cell.isIrregular || otherCell.isIrregular) && left.matches(cell, otherCell, in: right)
    case .array: return isEqualArray(one, other)
    case .object: return isEqualObject(one, other)
    }
  }

  private func isEqualNumber(_ cell: JSONCell, _ other: JSONCell) -> Bool {
    let isWhole = isInteger(cell, in: left)
    guard isWhole == isInteger(other, in: right), left.double(cell) == right.double(other)
    else { return false }
    // Two spellings of one integer: 0 and -0.
    if isWhole { return left.integer(cell, as: Int64.self) == 0 }
    return !comparesDigits || JSONNumber.haveEqualDigits(left.text(cell), right.text(other))
  }

  private func isInteger(_ cell: JSONCell, in tape: JSONTape) -> Bool {
    !cell.isIrregular
      && (tape.integer(cell, as: Int64.self) != nil || tape.integer(cell, as: UInt64.self) != nil)
  }

  private func isEqualArray(_ one: TapeIndex, _ other: TapeIndex) -> Bool {
    let count = left.extent(one).detail
    guard count == right.extent(other).detail else { return false }
    var one = left.firstChild(one)
    var other = right.firstChild(other)
    for _ in 0..<count {
      guard isEqual(one, other) else { return false }
      one = left.next(one)
      other = right.next(other)
    }
    return true
  }

  /// Expects the members in the same order, and compares the rest by key from the first that is
  /// not.
  private func isEqualObject(_ one: TapeIndex, _ other: TapeIndex) -> Bool {
    let list = left.keyList(one)
    let otherList = right.keyList(other)
    let count = left.keyCount(list)
    guard count == right.keyCount(otherList) else { return false }
    var child = left.firstChild(one)
    var otherChild = right.firstChild(other)
    for position in 0..<count {
      guard left.matches(left.key(list, position), right.key(otherList, position), in: right)
      else { return isEqualUnordered(one, other, from: position, child) }
      guard isEqual(child, otherChild) else { return false }
      child = left.next(child)
      otherChild = right.next(otherChild)
    }
    return true
  }

  /// Compares the members from a position on by key, with one hash for each of them.
  private func isEqualUnordered(
    _ one: TapeIndex, _ other: TapeIndex, from start: Int, _ child: TapeIndex
  ) -> Bool {
    let list = left.keyList(one)
    let otherList = right.keyList(other)
    var places: [[UInt8]: TapeIndex] = [:]
    for (position, child) in right.children(of: other).enumerated() {
      places[Array(right.string(right.key(otherList, position)).utf8)] = child
    }
    var child = child
    for position in start..<left.keyCount(list) {
      let key = Array(left.string(left.key(list, position)).utf8)
      guard let place = places[key], isEqual(child, place) else { return false }
      child = left.next(child)
    }
    return true
  }
}
