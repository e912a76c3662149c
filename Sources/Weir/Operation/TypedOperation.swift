/// A query whose variables and data have types of yours; no code generation.
///
/// ```swift
/// struct PostData: Decodable, Sendable { var post: Post? }
/// struct PostVariables: Encodable, Sendable { var id: String }
///
/// let post = Query<PostData, PostVariables>("query Post($id: ID!) { post(id: $id) { id title } }")
/// let result = await client.query(post, PostVariables(id: "1"))
/// ```
///
/// Keep it (a `static let`, a global): its document is parsed once.
public struct Query<Data: Decodable & Sendable, Variables: Encodable & Sendable>: Sendable {
  /// The text and what is derived from it.
  public let document: GraphQLDocument
  /// Which of the document's operations is meant; nil if it has only one.
  public let name: String?

  /// A query of a document.
  public init(_ document: GraphQLDocument, name: String? = nil) {
    self.document = document
    self.name = name
  }
}

/// A mutation whose variables and data have types of yours; see ``Query``.
public struct Mutation<Data: Decodable & Sendable, Variables: Encodable & Sendable>: Sendable {
  /// The text and what is derived from it.
  public let document: GraphQLDocument
  /// Which of the document's operations is meant; nil if it has only one.
  public let name: String?

  /// A mutation of a document.
  public init(_ document: GraphQLDocument, name: String? = nil) {
    self.document = document
    self.name = name
  }
}

/// A subscription whose variables and data have types of yours; see ``Query``.
public struct Subscription<Data: Decodable & Sendable, Variables: Encodable & Sendable>: Sendable {
  /// The text and what is derived from it.
  public let document: GraphQLDocument
  /// Which of the document's operations is meant; nil if it has only one.
  public let name: String?

  /// A subscription of a document.
  public init(_ document: GraphQLDocument, name: String? = nil) {
    self.document = document
    self.name = name
  }
}

/// The variables of an operation that has none.
public struct NoVariables: Encodable, Hashable, Sendable {
  /// No variables.
  public init() {}
}

/// What ``Query``, ``Mutation`` and ``Subscription`` have in common.
public protocol TypedOperation<Data, Variables>: Sendable {
  /// What the operation selects.
  associatedtype Data: Decodable & Sendable
  /// What it is parameterized by.
  associatedtype Variables: Encodable & Sendable
  /// The text and what is derived from it.
  var document: GraphQLDocument { get }
  /// Which of the document's operations is meant; nil if it has only one.
  var name: String? { get }
  /// What the document's operation has to be.
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
  /// The operation that exchanges handle, with encoded variables.
  ///
  /// If the document's operation is not of the ``kind`` that it has to be, the result of executing it is
  /// an error with the code ``OperationError/Code/document``.
  @inlinable
  public func operation(
    _ variables: Variables, context: OperationContext = OperationContext()
  ) -> GraphQLOperation {
    var operation =
      Variables.self == NoVariables.self
      ? GraphQLOperation(document, name: name, context: context)
      : GraphQLOperation(document, name: name, variables: variables, context: context)
    operation.require(Self.kind)
    return operation
  }
}
