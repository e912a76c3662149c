import Synchronization

/// The SHA-256 of a text, computed when it is first asked for and kept.
package final class TextDigest: Sendable {
  private final class Computed: Sendable {
    let hexadecimal: String

    init(_ hexadecimal: String) {
      self.hexadecimal = hexadecimal
    }
  }

  private let text: String
  private let computed = AtomicLazyReference<Computed>()

  init(_ text: String) {
    self.text = text
  }

  /// 64 lower-case hexadecimal digits.
  package var hexadecimal: String {
    if let computed = computed.load() { return computed.hexadecimal }
    return computed.storeIfNil(Computed(SHA256Digest.hexadecimal(of: Array(text.utf8)))).hexadecimal
  }
}
