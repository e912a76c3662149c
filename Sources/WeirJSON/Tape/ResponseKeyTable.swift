internal import WeirSupport

/// The positions of the response keys of a selection, so that a key of a document need not be compared
/// with each of them.
package final class ResponseKeyTable: Sendable {
  /// As many response keys are compared faster one after the other.
  package static let few = 16

  private let positions: [ExactString: Int]

  package init(_ keys: some Sequence<[UInt8]>) {
    positions = Dictionary(
      keys.enumerated().map { (ExactString(String(decoding: $1, as: UTF8.self)), $0) },
      uniquingKeysWith: { first, _ in first })
  }

  package func position(of key: JSONCell, _ tape: JSONTape) -> Int? {
    positions[ExactString(tape.string(key))]
  }

  package func position(of key: [UInt8]) -> Int? {
    positions[ExactString(String(decoding: key, as: UTF8.self))]
  }
}
