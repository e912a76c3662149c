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
/// kept with it. Documents with equal texts share that work: up to 512 texts are kept.
public struct GraphQLDocument: Sendable {
  let storage: Storage

  /// Creates a document from a text, which is parsed unless it was parsed before.
  ///
  /// - Parameters:
  ///   - text: operations and fragments in the GraphQL language.
  ///   - fragments: documents whose definitions are added. Several of them may contain the same
  ///     fragment; two different fragments of one name are an error.
  public init(_ text: String, fragments: [GraphQLDocument] = []) {
    let own = GraphQLDocument(storage: Storage.shared(for: text))
    self = fragments.isEmpty ? own : own.adding(fragments)
  }

  /// Creates a document from a syntax tree.
  public init(_ tree: Document) {
    storage = Storage(.success(tree))
  }

  private init(storage: Storage) {
    self.storage = storage
  }

  /// Returns a document with the definitions of this one and of others.
  public func adding(_ others: [GraphQLDocument]) -> GraphQLDocument {
    do throws(OperationError) {
      var definitions = try tree.get().definitions
      for other in others {
        for definition in try other.tree.get().definitions where !definitions.contains(definition) {
          definitions.append(definition)
        }
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
    /// The only operation, prepared. Read without a lock.
    private let unnamed = OnceReference<PreparedOperation>()
    /// The operations that were asked for by name, prepared.
    private let named = Locked<[String: PreparedOperation]>([:])

    init(_ tree: Result<Document, OperationError>) {
      self.tree = tree
    }

    func prepared(for name: String?) -> PreparedOperation {
      guard let name else { return unnamed.load() ?? unnamed.storeIfNil(prepare(nil)) }
      if let known = named.withLock({ $0[name] }) { return known }
      let made = prepare(name)
      named.withLock { $0[name] = made }
      return made
    }

    private func prepare(_ name: String?) -> PreparedOperation {
      do throws(OperationError) {
        return try PreparedOperation(document: tree.get(), operationName: name)
      } catch {
        return PreparedOperation(defect: error)
      }
    }

    /// Kept by text, so that an operation that is made from a string on every call is parsed once.
    static func shared(for text: String) -> Storage {
      if let known = recent.withLock({ $0[ExactString(text)] }) { return known }
      let made = Storage(
        Result { () throws(GraphQLSyntaxError) in try Document(parsing: text) }
          .mapError(OperationError.init(syntaxError:)))
      recent.withLock { recent in
        if recent.count >= 512 { recent.removeAll(keepingCapacity: true) }
        recent[ExactString(text)] = made
      }
      return made
    }

    private static let recent = Locked<[ExactString: Storage]>([:])
  }
}
