/// A string that is only equal to one of the same bytes, as JSON has it for keys and GraphQL for
/// texts. Swift's own comparison takes different spellings of `é` for one.
package struct ExactString: Hashable, Sendable {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }

  @inline(__always)
  package static func == (left: ExactString, right: ExactString) -> Bool {
    guard left.text.utf8.count == right.text.utf8.count else { return false }
    let isEqual = left.text.utf8.withContiguousStorageIfAvailable { left in
      right.text.utf8.withContiguousStorageIfAvailable { right in
        left.baseAddress == right.baseAddress || left.elementsEqual(right)
      }
    }
    return (isEqual ?? nil) ?? left.text.utf8.elementsEqual(right.text.utf8)
  }
}
