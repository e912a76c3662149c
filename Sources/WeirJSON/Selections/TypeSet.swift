/// The names of the object types that an interface or a union stands for, as the schema had them
/// when the code was generated.
public struct TypeSet: Sendable {
  private let names: Set<String>

  /// Creates a set of names that are separated by spaces.
  public init(_ names: StaticString) {
    self.names = Set("\(names)".split(separator: " ").map(String.init))
  }

  /// Returns whether the set has an object type.
  public func contains(_ name: String) -> Bool { names.contains(name) }
}
