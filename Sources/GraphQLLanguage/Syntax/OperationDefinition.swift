/// A kind of operation.
public enum OperationKind: String, Hashable, Sendable, CaseIterable {
  /// Reads only.
  case query
  /// Writes, then reads.
  case mutation
  /// Reads again for each event of a stream.
  case subscription
}

/// A query, a mutation or a subscription (specification, section 2.4).
public struct OperationDefinition: Hashable, Sendable {
  /// The documentation; new in the specification of September 2025.
  public var description: StringValue?
  /// Whether it is a query, a mutation or a subscription.
  public var kind: OperationKind
  /// The name; `nil` for an anonymous operation.
  public var name: String?
  /// The variables that the operation declares.
  public var variableDefinitions: [VariableDefinition]
  /// The directives on the operation itself.
  public var directives: [Directive]
  /// The fields that the operation requests.
  public var selectionSet: SelectionSet
  /// The position at which the operation, including its description, begins.
  public var location: SourceLocation

  /// Makes an operation.
  public init(
    description: StringValue? = nil, kind: OperationKind = .query, name: String? = nil,
    variableDefinitions: [VariableDefinition] = [], directives: [Directive] = [],
    selectionSet: SelectionSet, location: SourceLocation = .unknown
  ) {
    self.description = description
    self.kind = kind
    self.name = name
    self.variableDefinitions = variableDefinitions
    self.directives = directives
    self.selectionSet = selectionSet
    self.location = location
  }
}

/// The declaration of a variable: `$id: ID! = "1" @deprecated` (specification, section 2.11).
///
/// It has the same parts as the definition of an argument, which is its type. The dollar sign is not
/// a part of the name.
public typealias VariableDefinition = InputValueDefinition
