/// An annotation that a server or a tool acts upon: `@name(arguments)` (specification, section
/// 2.12).
public struct Directive: Hashable, Sendable {
  /// The name without `@`.
  public var name: String
  /// The arguments in the order of the source text.
  public var arguments: [Argument]
  /// Where the `@` stands.
  public var location: SourceLocation

  /// Makes a directive.
  public init(name: String, arguments: [Argument] = [], location: SourceLocation = .unknown) {
    self.name = name
    self.arguments = arguments
    self.location = location
  }
}

/// A named value that is given to a field or to a directive (specification, section 2.6).
public struct Argument: Hashable, Sendable {
  /// The name of the argument.
  public var name: String
  /// The value of the argument.
  public var value: Value
  /// Where the name stands.
  public var location: SourceLocation

  /// Makes an argument.
  public init(name: String, value: Value, location: SourceLocation = .unknown) {
    self.name = name
    self.value = value
    self.location = location
  }
}
