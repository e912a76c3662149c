import Foundation
import WeirNormalized

/// Finds the rows of many ascending keys.
///
/// A search of the tree costs about as much as six steps to the next row. So rows between two that
/// are wanted are stepped over, as long as they are few: what is wanted in bulk, such as the elements
/// of a list, mostly lies side by side.
struct RowSearch {
  let statement: Statement
  private var position = Position.nowhere
  /// How many rows are stepped over before the tree is searched.
  private var patience = 4

  private enum Position { case nowhere, row, end }

  /// For fewer keys it does not pay to put them in order.
  static let minimumCount = 32
  private static let maximumPatience = 16

  init(_ connection: Connection) throws(StorageError) {
    statement = try connection.statement(.getFrom(.records))
    statement.reset()
  }

  /// Goes to the row of a key, which is not before the last one; false if there is none.
  mutating func find(_ key: UnsafeRawBufferPointer) throws(StorageError) -> Bool {
    var steps = 0
    while position == .row {
      let order = order(of: key)
      if order <= 0 {
        if steps > 0 { patience = min(patience * 2, Self.maximumPatience) }
        return order == 0
      }
      guard steps < patience else {
        patience = max(1, patience / 2)
        break
      }
      steps += 1
      try step()
    }
    if position == .end { return false }
    statement.reset()
    // A copy: the statement is stepped on when the key is gone.
    statement.bind(Array(key), at: 1)
    try step()
    return position == .row && order(of: key) == 0
  }

  func end() {
    statement.reset()
  }

  private mutating func step() throws(StorageError) {
    position = try statement.step() ? .row : .end
  }

  /// Negative if the key is before the row's, positive if it is behind.
  private func order(of key: UnsafeRawBufferPointer) -> Int {
    statement.withBytes(4) { row in
      if let keyStart = key.baseAddress, let rowStart = row.baseAddress {
        // Proof: neither is read beyond the shorter one's end.
        let order = memcmp(keyStart, rowStart, min(key.count, row.count))
        if order != 0 { return Int(order) }
      }
      return key.count - row.count
    }
  }
}
