/// Finds elements of arrays by their positions, each from the one that was found before.
///
/// The errors of a list come in its order, and from the beginning each look-up would walk over all elements
/// before its own.
package struct ElementFinder {
  private var found: [TapeIndex: (position: Int, element: TapeIndex)] = [:]

  package init() {}

  /// Returns the element at a position; nil if there is none or the value is not an array. All values
  /// must be of one document.
  package mutating func element(of array: JSON, at position: Int) -> JSON? {
    array.withTape { tape, index in
      guard tape[index].kind == .array, position >= 0, position < tape.count(index) else {
        return nil
      }
      var (place, element) = (0, index.firstChild)
      if let known = found[index], known.position <= position { (place, element) = known }
      while place < position {
        element = tape.next(element)
        place += 1
      }
      found[index] = (place, element)
      return JSON(document: array.document, index: element)
    }
  }
}
