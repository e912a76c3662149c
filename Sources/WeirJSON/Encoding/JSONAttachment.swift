package import WeirSupport

/// A value that JSON cannot hold: null stands in its place, and whoever encodes receives the value
/// and its path beside the text.
package protocol JSONAttachment: Sendable {}

/// JSON text, and the attachments that were found while it was encoded.
package struct JSONWithAttachments {
  package let bytes: CompactBytes
  package let attachments: [(path: [JSONPathKey], value: any JSONAttachment)]
}

extension JSONAttachment {
  /// Writes null, and adds this value to the attachments.
  ///
  /// - Returns: false, and writes nothing, if the encoder does not collect attachments.
  package func attach(to encoder: any Encoder) -> Bool {
    guard let encoder = encoder as? ValueEncoder else { return false }
    guard encoder.storage.withState({ $0.attachments != nil }) else { return false }
    encoder.encodeNil()
    encoder.storage.withState { $0.attachments?.append((encoder.node, self)) }
    return true
  }
}
