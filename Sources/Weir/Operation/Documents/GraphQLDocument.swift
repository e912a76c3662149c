public import GraphQLLanguage

/// The text of one or more operations and fragments, parsed once.
///
/// Create it from a string literal, a string, or a syntax tree. A syntax error does not trap: it
/// becomes the result of every operation made from the document, with line and column.
///
/// ```swift
/// let authorCard: GraphQLDocument = "fragment AuthorCard on User { id name }"
/// let feed = GraphQLDocument("query Feed { feed { author { ...AuthorCard } } }", fragments: [authorCard])
/// ```
///
/// Everything derived from a document (canonical text, hash, selection plan) is computed once and
/// kept with it. Documents with equal texts share that work: texts are kept until they and all that was
/// derived from them take 32 MiB. Then all are dropped, and each that is used again is parsed once more.
/// A long text (of more than 13,000 tokens or 1 MiB) is not kept: store the document in a constant instead
/// of creating it again.
///
/// With all fragments expanded and fields of one key merged, an operation may nest fields 200 levels deep,
/// have 100,000 fields, and need 1,000,000 selections for them. Fields and fragments together may nest 250
/// levels deep. An operation beyond these limits has an error with the code
/// ``OperationError/Code/document``.
public struct GraphQLDocument: Sendable {
  let storage: Storage

  /// Creates a document from a text, which is parsed unless it was parsed before.
  ///
  /// - Parameters:
  ///   - text: operations and fragments in the GraphQL language.
  ///   - fragments: documents whose definitions are added. Several of them may contain the same
  ///     fragment; two different fragments of one name are an error.
  ///   - maximumTokens: the number of tokens that the text may have, or nil for no limit. The work
  ///     for a document and its memory grow with its tokens, so the default refuses a text that no
  ///     person writes. Raise it for a document of your own; lower it for texts from outside. Beyond
  ///     the limit, every operation of the document has an error with the code
  ///     ``OperationError/Code/tooManyTokens``.
  public init(
    _ text: String, fragments: [GraphQLDocument] = [],
    maximumTokens: Int? = GraphQLDocument.defaultMaximumTokens
  ) {
    let own = GraphQLDocument(
      storage: DocumentMemo.shared.storage(for: text, maximumTokens: maximumTokens ?? .max))
    self = fragments.isEmpty ? own : own.adding(fragments)
  }

  /// Creates a document from a syntax tree, whose number of tokens is not limited.
  public init(_ tree: Document) {
    storage = Storage(.success(tree))
  }

  init(storage: Storage) {
    self.storage = storage
  }

  /// The number of tokens that the text of a document may have by default: 15,000.
  public static let defaultMaximumTokens = 15_000

  /// Returns a document with the definitions of this one and of others.
  public func adding(_ others: [GraphQLDocument]) -> GraphQLDocument {
    do throws(OperationError) {
      var definitions = try tree.get().definitions
      var known = Set(definitions)
      for other in others {
        definitions += try other.tree.get().definitions.filter { known.insert($0).inserted }
      }
      return GraphQLDocument(storage: Storage(.success(Document(definitions: definitions))))
    } catch {
      return GraphQLDocument(storage: Storage(.failure(error)))
    }
  }

  /// The syntax tree, or the syntax error.
  public var tree: Result<Document, OperationError> {
    storage.tree
  }

  func prepared(for operationName: String?) -> PreparedOperation {
    storage.prepared(for: operationName)
  }
}

extension GraphQLDocument: ExpressibleByStringLiteral {
  /// Creates a document from a string literal.
  public init(stringLiteral text: String) {
    self.init(text)
  }
}

extension GraphQLDocument {
  final class Storage: Sendable {
    let tree: Result<Document, OperationError>
    /// The number of tokens of the text; 0 if it does not parse, and for a syntax tree.
    let tokens: Int
    /// Notes the size of what is kept here; nil if the document is not in it.
    private let memo: DocumentMemo?
    /// The only operation, prepared. Read without a lock.
    private let unnamed = OnceReference<PreparedOperation>()
    /// The operations that were asked for by name, prepared.
    private let named = Locked<[String: PreparedOperation]>([:])

    init(_ tree: Result<Document, OperationError>, tokens: Int = 0, memo: DocumentMemo? = nil) {
      self.tree = tree
      self.tokens = tokens
      self.memo = memo
    }

    func prepared(for name: String?) -> PreparedOperation {
      guard let name else { return unnamed.load() ?? unnamed.storeIfNil(prepare(nil)) }
      if let known = named.withLock({ $0[name] }) { return known }
      // All names of a document that does not parse have the same error.
      guard case .success(let tree) = tree else { return prepared(for: nil) }
      let made = prepare(name)
      // Names may come from outside, so only those that the document has are remembered.
      guard tree.operations.contains(where: { $0.name == name }) else { return made }
      named.withLock { $0[name] = made }
      return made
    }

    private func prepare(_ name: String?) -> PreparedOperation {
      do throws(OperationError) {
        let made = try PreparedOperation(document: tree.get(), operationName: name)
        memo?.add(bytes: made.footprint)
        return made
      } catch {
        return PreparedOperation(defect: error)
      }
    }
  }
}
