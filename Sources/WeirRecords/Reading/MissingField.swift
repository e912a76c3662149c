public import Weir

/// A field that a read could not find, or found to be stale.
public struct MissingField: Hashable, Sendable, CustomStringConvertible {
  /// Why a field is missing.
  public enum Reason: String, Hashable, Sendable {
    /// Nothing was ever written there, or it was removed.
    case missing
    /// A reference leads to an entity that the store does not have.
    case dangling
    /// The time to live has passed, or the data was invalidated.
    case expired
  }

  /// The path from the root of the data to the field: response keys and indices.
  public let path: [GraphQLError.PathElement]
  /// Why the field is missing.
  public let reason: Reason

  package init(path: [GraphQLError.PathElement], reason: Reason) {
    self.path = path
    self.reason = reason
  }

  /// The path and the reason, such as `todos.0.text is missing`.
  public var description: String {
    let steps = path.map { step in
      switch step {
      case .key(let key): key
      case .index(let index): String(index)
      }
    }
    if steps.isEmpty { return "the entity does not exist" }
    return "\(steps.joined(separator: ".")) is \(reason.rawValue)"
  }
}
