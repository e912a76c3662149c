import Foundation
import WeirNormalized

/// Finds the rows of many keys in ascending order.
///
/// A search of the tree costs about as much as six steps to the next row. So if only a few rows lie
/// between two requested ones, the search steps over them. Keys that are requested together, such as
/// those of a list's elements, are mostly neighbours.
struct RowSearch {
  let statement: Statement
  private var position = Position.nowhere
  /// The number of rows to step over before searching the tree.
  private var maximumSteps = 4

  private enum Position { case nowhere, row, end }

  /// The number of keys from which sorting them pays off.
  static let minimumCount = 32
  private static let stepLimit = 16

  init(_ connection: Connection) throws(StorageError) {
    statement = try connection.statement(.getFrom(.records))
    statement.reset()
  }

  /// Moves to the row of a key, which is not less than that of the previous call; returns false if
  /// there is none.
  mutating func find(_ key: [UInt8]) throws(StorageError) -> Bool {
    var steps = 0
    while position == .row {
      let order = order(of: key)
      if order <= 0 {
        if steps > 0 { maximumSteps = min(maximumSteps * 2, Self.stepLimit) }
        return order == 0
      }
      guard steps < maximumSteps else {
        maximumSteps = max(1, maximumSteps / 2)
        break
      }
      steps += 1
      try step()
    }
    if position == .end { return false }
    statement.reset()
    statement.bind(key, at: 1)
    try step()
    return position == .row && order(of: key) == 0
  }

  func end() {
    statement.reset()
  }

  private mutating func step() throws(StorageError) {
    position = try statement.step() ? .row : .end
  }

  /// Compares a key with that of the row: negative if it is less, positive if it is greater.
  private func order(of key: [UInt8]) -> Int {
    statement.withBytes(4) { row in
      if let start = row.baseAddress {
        // Proof: both have at least the compared number of bytes.
        let order = memcmp(key, start, min(key.count, row.count))
        if order != 0 { return Int(order) }
      }
      return key.count - row.count
    }
  }
}
