public import Weir

/// Something that a read could not find, or found stale.
public struct MissingField: Hashable, Sendable, CustomStringConvertible {
  /// Why it is missing.
  public enum Reason: String, Hashable, Sendable {
    /// Nothing was ever written there, or it was removed.
    case missing
    /// There is a reference to an entity that is not there.
    case dangling
    /// It has passed its time to live, or was invalidated.
    case expired
  }

  /// The way from the root of the data to it, by response keys and indices.
  public let path: [GraphQLError.PathElement]
  /// Why it is missing.
  public let reason: Reason

  package init(path: [GraphQLError.PathElement], reason: Reason) {
    self.path = path
    self.reason = reason
  }

  /// Path and reason, such as `todos.0.text is missing`.
  public var description: String {
    let steps = path.map { step in
      switch step {
      case .key(let key): key
      case .index(let index): String(index)
      }
    }
    return "\(steps.joined(separator: ".")) is \(reason.rawValue)"
  }
}
