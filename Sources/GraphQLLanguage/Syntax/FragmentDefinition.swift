/// A named fragment: `fragment Name on Type { … }` (specification, section 2.9).
public struct FragmentDefinition: Hashable, Sendable {
  /// The documentation; new in the specification of September 2025.
  public var description: StringValue?
  /// The name that spreads use; never `on`.
  public var name: String
  /// The name of the type that the fragment applies to.
  public var typeCondition: String
  /// The directives on the fragment itself.
  public var directives: [Directive]
  /// The selections that a spread of the fragment adds.
  public var selectionSet: SelectionSet
  /// The position at which the fragment, including its description, begins.
  public var location: SourceLocation

  /// Makes a fragment.
  public init(
    description: StringValue? = nil, name: String, typeCondition: String,
    directives: [Directive] = [], selectionSet: SelectionSet, location: SourceLocation = .unknown
  ) {
    self.description = description
    self.name = name
    self.typeCondition = typeCondition
    self.directives = directives
    self.selectionSet = selectionSet
    self.location = location
  }
}
