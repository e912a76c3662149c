/// The root types of a schema (specification, section 3.3).
public struct SchemaDefinition: Hashable, Sendable {
  /// The documentation.
  public var description: StringValue?
  /// The directives on the schema itself.
  public var directives: [Directive]
  /// The root types in the order of the source text.
  public var operationTypes: [OperationTypeDefinition]
  /// The position at which the definition, including its description, begins.
  public var location: SourceLocation

  /// Makes a schema definition or extension.
  public init(
    description: StringValue? = nil, directives: [Directive] = [],
    operationTypes: [OperationTypeDefinition] = [], location: SourceLocation = .unknown
  ) {
    self.description = description
    self.directives = directives
    self.operationTypes = operationTypes
    self.location = location
  }
}

/// The root type of one kind of operation: `query: Query`.
public struct OperationTypeDefinition: Hashable, Sendable {
  /// The kind of operation.
  public var kind: OperationKind
  /// The name of the object type on which operations of this kind are executed.
  public var type: String
  /// The position at which the definition begins.
  public var location: SourceLocation

  /// Makes a root type.
  public init(kind: OperationKind, type: String, location: SourceLocation = .unknown) {
    self.kind = kind
    self.type = type
    self.location = location
  }
}
