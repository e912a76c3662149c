/// Where a value is on a document's tape: the number of its (first) cell.
///
/// A document of the largest size has fewer than 2^32 cells.
@frozen @usableFromInline
package struct TapeIndex: Hashable, Comparable, Sendable {
  @usableFromInline package var rawValue: UInt32

  @inlinable
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  @inlinable
  package init(index: Int) { rawValue = UInt32(truncatingIfNeeded: index) }

  /// The value's position in the tape's array of cells.
  @inlinable
  package var index: Int { Int(truncatingIfNeeded: rawValue) }

  /// If a container is here, where its first element, or its first member's value, would be.
  @inlinable
  package var firstChild: TapeIndex { TapeIndex(index: index + 2) }

  /// The root value of a document.
  @inlinable
  package static var root: TapeIndex { TapeIndex(rawValue: 0) }

  @inlinable
  package static func < (left: TapeIndex, right: TapeIndex) -> Bool {
    left.rawValue < right.rawValue
  }
}
