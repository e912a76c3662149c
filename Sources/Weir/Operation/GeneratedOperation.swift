/// An operation with its variables, as generated from a document. Its type is ``GeneratedQuery``,
/// ``GeneratedMutation``, or ``GeneratedSubscription``.
///
/// ```swift
/// let result = await client.query(Feed(first: 20))
/// ```
public protocol GeneratedOperation: Hashable, Sendable {
  /// The type of the data.
  associatedtype Data: SelectionData
  /// The document, which contains one operation and the fragments that it uses.
  static var document: GraphQLDocument { get }
  /// Writes the variables, ordered by the bytes of their names.
  func write(to variables: inout InputWriter)
}

/// A query with its variables, as generated from a document.
public protocol GeneratedQuery: GeneratedOperation {}

/// A mutation with its variables, as generated from a document.
public protocol GeneratedMutation: GeneratedOperation {}

/// A subscription with its variables, as generated from a document.
public protocol GeneratedSubscription: GeneratedOperation {}

/// The fields of a fragment, as generated from a document.
///
/// A normalized store reads and changes single entities by such a type.
public protocol FragmentData: SelectionData {
  /// The document: first this fragment, then those that it uses.
  static var document: GraphQLDocument { get }
}

extension GeneratedOperation {
  /// Operations without variables write nothing.
  public func write(to variables: inout InputWriter) {}

  /// Returns the operation for the exchanges, with encoded variables.
  ///
  /// If a variable cannot be encoded, such as an infinite number, the result of executing the
  /// operation is an error with the code ``OperationError/Code/variables``.
  @inlinable
  public func operation(context: OperationContext = OperationContext()) -> GraphQLOperation {
    GraphQLOperation(content, context)
  }

  @inlinable @inline(__always)
  var content: OperationContent {
    var variables = InputWriter()
    write(to: &variables)
    return .generated(Self.document, variables)
  }
}
