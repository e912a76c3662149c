/// What an operation does on the server.
public enum OperationKind: String, Hashable, Sendable, CaseIterable {
  /// Reads only.
  case query
  /// Writes, then reads.
  case mutation
  /// Reads anew for each of a stream of events.
  case subscription
}

/// A query, a mutation or a subscription (specification, section 2.3).
public struct OperationDefinition: Hashable, Sendable {
  /// Documentation for readers of the text; new in the specification of September 2025.
  public var description: StringValue?
  /// Whether it is a query, a mutation or a subscription.
  public var kind: OperationKind
  /// `nil` for an anonymous operation.
  public var name: String?
  /// The variables that the operation declares.
  public var variableDefinitions: [VariableDefinition]
  /// The directives on the operation itself.
  public var directives: [Directive]
  /// The fields that the operation asks for.
  public var selectionSet: SelectionSet
  /// Where the operation begins, its description included.
  public var location: SourceLocation

  /// Makes an operation; all that may be absent is absent unless it is given.
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

/// The declaration of a variable: `$id: ID! = "1" @deprecated` (specification, section 2.10).
public struct VariableDefinition: Hashable, Sendable {
  /// Documentation for readers of the text; new in the specification of September 2025.
  public var description: StringValue?
  /// The name without `$`.
  public var name: String
  /// The type of the values that the variable takes.
  public var type: TypeReference
  /// The value of the variable when the request has none; a constant.
  public var defaultValue: Value?
  /// The directives on the variable.
  public var directives: [Directive]
  /// Where the declaration begins, its description included.
  public var location: SourceLocation

  /// Makes the declaration of a variable.
  public init(
    description: StringValue? = nil, name: String, type: TypeReference, defaultValue: Value? = nil,
    directives: [Directive] = [], location: SourceLocation = .unknown
  ) {
    self.description = description
    self.name = name
    self.type = type
    self.defaultValue = defaultValue
    self.directives = directives
    self.location = location
  }
}
