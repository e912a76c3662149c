/// The SHA-256 of a text, computed on first use.
final class TextDigest: Sendable {
  private let text: String
  private let computed = OnceReference<Shared<String>>()

  init(_ text: String) {
    self.text = text
  }

  /// 64 lower-case hexadecimal digits.
  var hexadecimal: String {
    if let computed = computed.load() { return computed.value }
    return computed.storeIfNil(Shared(SHA256Digest.hexadecimal(of: Array(text.utf8)))).value
  }
}
