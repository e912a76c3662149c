/// A query with variables and data of your own types, without code generation.
///
/// ```swift
/// nonisolated struct PostData: Decodable, Sendable { var post: Post? }
/// nonisolated struct PostVariables: Encodable, Sendable { var id: String }
///
/// let post = Query<PostData, PostVariables>("query Post($id: ID!) { post(id: $id) { id title } }")
/// let result = await client.query(post, PostVariables(id: "1"))
/// ```
///
/// Keep it in a `static let` or a global, so that its document is parsed once.
public struct Query<Data: Decodable & Sendable, Variables: Encodable & Sendable>: Sendable {
  /// The document that contains the operation.
  public let document: GraphQLDocument
  /// The name of the operation in the document; nil if the document has only one.
  public let name: String?

  /// Creates a query from a document.
  public init(_ document: GraphQLDocument, name: String? = nil) {
    self.document = document
    self.name = name
  }
}

/// A mutation with variables and data of your own types; see ``Query``.
public struct Mutation<Data: Decodable & Sendable, Variables: Encodable & Sendable>: Sendable {
  /// The document that contains the operation.
  public let document: GraphQLDocument
  /// The name of the operation in the document; nil if the document has only one.
  public let name: String?

  /// Creates a mutation from a document.
  public init(_ document: GraphQLDocument, name: String? = nil) {
    self.document = document
    self.name = name
  }
}

/// A subscription with variables and data of your own types; see ``Query``.
public struct Subscription<Data: Decodable & Sendable, Variables: Encodable & Sendable>: Sendable {
  /// The document that contains the operation.
  public let document: GraphQLDocument
  /// The name of the operation in the document; nil if the document has only one.
  public let name: String?

  /// Creates a subscription from a document.
  public init(_ document: GraphQLDocument, name: String? = nil) {
    self.document = document
    self.name = name
  }
}

/// The type of the variables of an operation without variables.
public struct NoVariables: Encodable, Hashable, Sendable {
  /// Creates the only value.
  public init() {}
}

/// An operation with typed data and variables: ``Query``, ``Mutation``, or ``Subscription``.
public protocol TypedOperation<Data, Variables>: Sendable {
  /// The type of the data.
  associatedtype Data: Decodable & Sendable
  /// The type of the variables.
  associatedtype Variables: Encodable & Sendable
  /// The document that contains the operation.
  var document: GraphQLDocument { get }
  /// The name of the operation in the document; nil if the document has only one.
  var name: String? { get }
  /// The kind that the document's operation must have.
  static var kind: GraphQLOperation.Kind { get }
}

extension Query: TypedOperation {
  /// A query.
  public static var kind: GraphQLOperation.Kind { .query }
}

extension Mutation: TypedOperation {
  /// A mutation.
  public static var kind: GraphQLOperation.Kind { .mutation }
}

extension Subscription: TypedOperation {
  /// A subscription.
  public static var kind: GraphQLOperation.Kind { .subscription }
}

extension TypedOperation {
  /// Returns the operation for the exchanges, with encoded variables.
  ///
  /// If the document's operation is not of this ``kind``, the result of executing it is an error
  /// with the code ``OperationError/Code/document``.
  @inlinable
  public func operation(
    _ variables: Variables, context: OperationContext = OperationContext()
  ) -> GraphQLOperation {
    GraphQLOperation(content(variables), context)
  }

  /// Returns the operation for the exchanges, if it has no variables.
  @inlinable
  public func operation(
    context: OperationContext = OperationContext()
  ) -> GraphQLOperation where Variables == NoVariables {
    operation(NoVariables(), context: context)
  }

  @inlinable
  func content(_ variables: Variables) -> OperationContent {
    var content =
      Variables.self == NoVariables.self
      ? OperationContent(document, name: name)
      : OperationContent(document, name: name, encoding: variables)
    content.require(Self.kind)
    return content
  }
}
