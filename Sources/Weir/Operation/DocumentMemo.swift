import GraphQLLanguage

/// The documents of the texts that were used most recently, so that an operation that is made from
/// a string on every call is parsed once.
///
/// It is bounded in bytes, which are estimated from the number of tokens. When it is full, it is
/// emptied: the documents in use return to it at the cost of parsing them once.
final class DocumentMemo: Sendable {
  private struct State {
    var documents: [ExactString: GraphQLDocument.Storage] = [:]
    var bytes = 0

    mutating func makeRoom(for size: Int, limit: Int) {
      if bytes + size > limit { self = State() }
      bytes += size
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
    let made: GraphQLDocument.Storage
    do throws(GraphQLSyntaxError) {
      let options = ParseOptions(maximumTokens: maximumTokens)
      let (document, tokens) = try Document.parse(text, options: options)
      made = GraphQLDocument.Storage(.success(document), tokens: tokens, memo: self)
    } catch {
      made = GraphQLDocument.Storage(.failure(OperationError(syntaxError: error)))
      // Another limit may accept the text.
      if error.exceedsTokenLimit { return made }
    }
    remember(made, for: text)
    return made
  }

  private func remember(_ document: GraphQLDocument.Storage, for text: String) {
    // The text as the key, its parts in the tree, and the nodes of the tree.
    let size = 512 + 2 * text.utf8.count + 160 * document.tokens
    guard size <= limit / 16 else { return }
    state.withLock { state in
      state.makeRoom(for: size, limit: limit)
      state.documents[ExactString(text)] = document
    }
  }

  /// Notes that a document has grown, because one of its operations was prepared. Too much is
  /// counted if the document is no longer here, which does no harm.
  func add(bytes: Int) {
    state.withLock { $0.makeRoom(for: bytes, limit: limit) }
  }
}

extension PreparedOperation {
  /// The estimated size in memory in bytes: text, syntax trees and plan.
  var footprint: Int { 1024 + 32 * identityText.utf8.count }
}
