import GraphQLLanguage

/// The documents of the texts that were used, so that an operation that is made from a string on every
/// call is parsed once.
///
/// It is bounded in bytes, which are estimated from the number of tokens. When it is full, it is
/// emptied: the documents in use return to it at the cost of parsing them once.
final class DocumentMemo: Sendable {
  private struct State {
    var documents: [ExactString: GraphQLDocument.Storage] = [:]
    var bytes = 0

    /// - Returns: the documents that had to go, to be released without the lock: that takes milliseconds.
    mutating func makeRoom(for size: Int, limit: Int) -> [ExactString: GraphQLDocument.Storage] {
      var dropped: [ExactString: GraphQLDocument.Storage] = [:]
      if bytes + size > limit {
        swap(&dropped, &documents)
        bytes = 0
      }
      bytes += size
      return dropped
    }
  }

  /// The memo of the process.
  static let shared = DocumentMemo(limit: 32 << 20)

  private let limit: Int
  private let state = Locked(State())

  /// - Parameter limit: The maximum size of everything that is kept, in bytes.
  init(limit: Int) {
    self.limit = limit
  }

  /// The number of documents that are kept.
  var count: Int { state.withLock { $0.documents.count } }

  /// The estimated size of the documents that are kept, in bytes.
  var bytes: Int { state.withLock { $0.bytes } }

  /// Returns the document of a text. A hit takes one hash and one comparison of the text.
  func storage(for text: String, maximumTokens: Int) -> GraphQLDocument.Storage {
    if let known = state.withLock({ $0.documents[ExactString(text)] }),
      known.tokens <= maximumTokens
    {
      return known
    }
    let parsed = Result { () throws(GraphQLSyntaxError) in
      try Document.parse(text, options: ParseOptions(maximumTokens: maximumTokens))
    }
    let tokens = (try? parsed.get().tokens) ?? 0
    let isKept = keeps(text, parsed, tokens)
    let made = GraphQLDocument.Storage(
      parsed.map(\.document).mapError(OperationError.init(syntaxError:)), tokens: tokens,
      memo: isKept ? self : nil)
    guard isKept else { return made }
    let size = 512 + 2 * text.utf8.count + Self.nodeSize * tokens
    let dropped = state.withLock { state in
      defer { state.documents[ExactString(text)] = made }
      return state.makeRoom(for: size, limit: limit)
    }
    return withExtendedLifetime(dropped) { made }
  }

  /// The estimated size of the part of a syntax tree that a token makes, in bytes.
  private static let nodeSize = 160

  /// Whether a text is kept: not if it is long, because few of them would fill the memo, and not if
  /// another limit may accept it.
  private func keeps(
    _ text: String, _ parsed: Result<(document: Document, tokens: Int), GraphQLSyntaxError>,
    _ tokens: Int
  ) -> Bool {
    if case .failure(let error) = parsed, error.exceedsTokenLimit { return false }
    return text.utf8.count <= limit / 32 && tokens <= limit / 16 / Self.nodeSize
  }

  /// Notes that a document has grown, because one of its operations was prepared. Too much is
  /// counted if the document is no longer here, which does no harm.
  func add(bytes: Int) {
    let dropped = state.withLock { $0.makeRoom(for: bytes, limit: limit) }
    withExtendedLifetime(dropped) {}
  }
}

extension PreparedOperation {
  /// The estimated size in memory in bytes: text, syntax trees and plan.
  var footprint: Int {
    1024 + 32 * min(identityText.text.utf8.count, 1 << 24) + planFootprint
  }
}
