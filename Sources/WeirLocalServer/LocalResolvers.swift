public import Weir

/// The closures of a ``LocalServer``'s fields.
///
/// A closure returns anything `Encodable` (its properties are the object's fields), or a
/// ``LocalValue``, which literals make. What it throws becomes an error of the field; a
/// `GraphQLError` keeps its message and extensions. Closures run side by side, so state that they
/// share belongs in an actor or behind a lock.
public struct LocalResolvers: Sendable {
  typealias Resolve = @Sendable (FieldRequest) async throws -> LocalValue

  /// A field of a type.
  struct Coordinate: Hashable {
    var typename: String
    var field: String
  }

  private(set) var fields: [Coordinate: Resolve] = [:]
  private(set) var roots: [GraphQLOperation.Kind: [String: Resolve]] = [:]
  private(set) var subscriptions: [String: @Sendable (FieldRequest) async throws -> LocalEvents] =
    [:]
  private(set) var typenames: [String: @Sendable (JSONValue) -> String?] = [:]

  init() {}
}

// MARK: - Queries and mutations

extension LocalResolvers {
  /// A field of the query type.
  public mutating func query<Value: Encodable & Sendable>(
    _ field: String, _ resolve: @escaping @Sendable (FieldRequest) async throws -> Value
  ) {
    query(field) { try await LocalValue.value(resolve($0)) }
  }

  /// A field of the query type, whose value is made of literals and closures.
  public mutating func query(
    _ field: String, _ resolve: @escaping @Sendable (FieldRequest) async throws -> LocalValue
  ) {
    roots[.query, default: [:]][field] = resolve
  }

  /// A field of the mutation type.
  public mutating func mutation<Value: Encodable & Sendable>(
    _ field: String, _ resolve: @escaping @Sendable (FieldRequest) async throws -> Value
  ) {
    mutation(field) { try await LocalValue.value(resolve($0)) }
  }

  /// A field of the mutation type, whose value is made of literals and closures.
  public mutating func mutation(
    _ field: String, _ resolve: @escaping @Sendable (FieldRequest) async throws -> LocalValue
  ) {
    roots[.mutation, default: [:]][field] = resolve
  }
}

// MARK: - Subscriptions

extension LocalResolvers {
  /// A field of the subscription type. Each element of the sequence is the field's value in one
  /// event; its end completes the subscription, its error does so after an event with that error.
  ///
  /// The sequence is dropped when the client leaves.
  public mutating func subscription<Events: AsyncSequence & Sendable>(
    _ field: String, _ events: @escaping @Sendable (FieldRequest) async throws -> Events
  ) where Events.Element: Encodable & Sendable {
    subscriptions[field] = { LocalEvents(try await events($0)) { .value($0) } }
  }

  /// A field of the subscription type, whose values are made of literals and closures.
  public mutating func subscription<Events: AsyncSequence & Sendable>(
    _ field: String, _ events: @escaping @Sendable (FieldRequest) async throws -> Events
  ) where Events.Element == LocalValue {
    subscriptions[field] = { LocalEvents(try await events($0)) { $0 } }
  }
}

// MARK: - Other types

extension LocalResolvers {
  /// A field of an object type. Fields without a closure are members of their object.
  public mutating func field<Value: Encodable & Sendable>(
    _ typename: String, _ field: String,
    _ resolve: @escaping @Sendable (FieldRequest) async throws -> Value
  ) {
    self.field(typename, field) { try await LocalValue.value(resolve($0)) }
  }

  /// A field of an object type, whose value is made of literals and closures.
  public mutating func field(
    _ typename: String, _ field: String,
    _ resolve: @escaping @Sendable (FieldRequest) async throws -> LocalValue
  ) {
    fields[Coordinate(typename: typename, field: field)] = resolve
  }

  /// Names the object type of a value that a field of an interface or a union returns; for values
  /// that have no `__typename`.
  public mutating func typename(
    of abstractType: String, _ resolve: @escaping @Sendable (JSONValue) -> String?
  ) {
    typenames[abstractType] = resolve
  }
}

/// The events of one subscription, whatever sequence brings them.
struct LocalEvents: AsyncSequence, Sendable {
  typealias Next = (isolated (any Actor)?) async throws -> LocalValue?

  private let makeNext: @Sendable () -> Next

  init<Events: AsyncSequence & Sendable>(
    _ events: Events, _ convert: @escaping @Sendable (Events.Element) -> LocalValue
  ) {
    makeNext = {
      var iterator = events.makeAsyncIterator()
      return { isolation in try await iterator.next(isolation: isolation).map(convert) }
    }
  }

  func makeAsyncIterator() -> Iterator {
    Iterator(pull: makeNext())
  }

  struct Iterator: AsyncIteratorProtocol {
    let pull: Next

    func next(isolation: isolated (any Actor)?) async throws -> LocalValue? {
      try await pull(isolation)
    }
  }
}
