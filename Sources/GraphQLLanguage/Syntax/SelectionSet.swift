/// The fields and fragments requested of one object: `{ … }` (specification, section 2.5).
public struct SelectionSet: Hashable, Sendable {
  /// The selections in the order of the source text; at least one in a parsed document.
  public var selections: [Selection]

  /// Makes a selection set.
  public init(selections: [Selection]) {
    self.selections = selections
  }
}

extension SelectionSet: ExpressibleByArrayLiteral {
  /// Makes a selection set from a list of selections.
  public init(arrayLiteral elements: Selection...) {
    self.init(selections: elements)
  }
}

/// One member of a selection set.
public enum Selection: Hashable, Sendable {
  /// A field of the object.
  case field(Field)
  /// The fields of a named fragment.
  case fragmentSpread(FragmentSpread)
  /// The fields of a fragment without a name.
  case inlineFragment(InlineFragment)
}

/// A field of an object: `alias: name(arguments) @directives { … }` (specification, section 2.6).
public struct Field: Hashable, Sendable {
  /// The name of the field in the response, if it differs from `name`.
  public var alias: String?
  /// The name of the field in the schema.
  public var name: String
  /// The arguments in the order of the source text.
  public var arguments: [Argument]
  /// The directives on the field.
  public var directives: [Directive]
  /// The selections in the field's value; `nil` for a leaf.
  public var selectionSet: SelectionSet?
  /// The position at which the field, including its alias, begins.
  public var location: SourceLocation

  /// Makes a field.
  public init(
    alias: String? = nil, name: String, arguments: [Argument] = [], directives: [Directive] = [],
    selectionSet: SelectionSet? = nil, location: SourceLocation = .unknown
  ) {
    self.alias = alias
    self.name = name
    self.arguments = arguments
    self.directives = directives
    self.selectionSet = selectionSet
    self.location = location
  }

  /// The key of the field in the response: the alias, or the name without one.
  public var responseKey: String { alias ?? name }

  /// Whether the response has the name of the object's type under `__typename`, where caches and
  /// generated code read it.
  package var isTypename: Bool { name == "__typename" && responseKey == name }
}

/// The use of a named fragment: `...Name` (specification, section 2.9).
public struct FragmentSpread: Hashable, Sendable {
  /// The name of the fragment.
  public var name: String
  /// The directives on the spread.
  public var directives: [Directive]
  /// The position of the three dots.
  public var location: SourceLocation

  /// Makes a fragment spread.
  public init(
    name: String, directives: [Directive] = [], location: SourceLocation = .unknown
  ) {
    self.name = name
    self.directives = directives
    self.location = location
  }
}

/// A fragment without a name: `... on Type { … }` (specification, section 2.9.2).
public struct InlineFragment: Hashable, Sendable {
  /// The name of the type that the fragment applies to; `nil` for the type of the enclosing
  /// object.
  public var typeCondition: String?
  /// The directives on the fragment.
  public var directives: [Directive]
  /// The selections in the fragment.
  public var selectionSet: SelectionSet
  /// The position of the three dots.
  public var location: SourceLocation

  /// Makes an inline fragment.
  public init(
    typeCondition: String? = nil, directives: [Directive] = [], selectionSet: SelectionSet,
    location: SourceLocation = .unknown
  ) {
    self.typeCondition = typeCondition
    self.directives = directives
    self.selectionSet = selectionSet
    self.location = location
  }
}
