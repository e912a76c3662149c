/// An annotation for a server or a tool: `@name(arguments)` (specification, section 2.13).
public struct Directive: Hashable, Sendable {
  /// The name without `@`.
  public var name: String
  /// The arguments in the order of the source text.
  public var arguments: [Argument]
  /// The position of the `@`.
  public var location: SourceLocation

  /// Makes a directive.
  public init(name: String, arguments: [Argument] = [], location: SourceLocation = .unknown) {
    self.name = name
    self.arguments = arguments
    self.location = location
  }
}

extension Directive {
  /// A directive for documents that this package knows by its name.
  package enum Known: String {
    case skip, include, `defer`, stream
    /// Servers do not know these.
    case connection, unmask
    case localCacheMutation = "apollo_client_ios_localCacheMutation"
  }

  package func isKnown(as known: Known) -> Bool { name == known.rawValue }

  /// Whether the directive makes a selection depend on a condition: `@skip` or `@include`.
  package var isCondition: Bool { isKnown(as: .skip) || isKnown(as: .include) }
}

extension [Directive] {
  package func contains(_ known: Directive.Known) -> Bool { contains { $0.isKnown(as: known) } }
}

/// A named argument of a field or a directive (specification, section 2.7).
public struct Argument: Hashable, Sendable {
  /// The name of the argument.
  public var name: String
  /// The value of the argument.
  public var value: Value
  /// The position of the name.
  public var location: SourceLocation

  /// Makes an argument.
  public init(name: String, value: Value, location: SourceLocation = .unknown) {
    self.name = name
    self.value = value
    self.location = location
  }
}
