/// A string that equals only strings of the same bytes, as JSON compares keys and GraphQL compares
/// texts. Swift's own comparison treats different spellings of `é` as equal.
@usableFromInline
package struct ExactString: Hashable, Sendable {
  @usableFromInline package let text: String

  @inlinable
  package init(_ text: String) {
    self.text = text
  }

  @inlinable
  package static func == (left: ExactString, right: ExactString) -> Bool {
    guard left.text.utf8.count == right.text.utf8.count else { return false }
    let isEqual = left.text.utf8.withContiguousStorageIfAvailable { left in
      right.text.utf8.withContiguousStorageIfAvailable { right in
        left.baseAddress == right.baseAddress || left.elementsEqual(right)
      }
    }
    return (isEqual ?? nil) ?? left.text.utf8.elementsEqual(right.text.utf8)
  }

  /// Hashes the bytes: the hash of a `String` is the same for all that Swift treats as equal, so
  /// texts could be chosen that collide.
  @inlinable
  package func hash(into hasher: inout Hasher) {
    var text = text
    // Proof: the bytes are read before the closure returns.
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    // No UTF-8 has this byte, so two texts in a row do not collide with others of the same bytes.
    hasher.combine(0xff as UInt8)
  }
}

extension Set<String> {
  /// Creates a set of texts; nil if two of them only look the same, because a set would lack one.
  package init?(exactly texts: Set<ExactString>) {
    self.init(texts.lazy.map(\.text))
    if count < texts.count { return nil }
  }
}
