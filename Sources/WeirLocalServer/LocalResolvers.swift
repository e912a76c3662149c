public import Weir

/// The closures that resolve the fields of a ``LocalServer``.
///
/// A closure returns an `Encodable` value, whose properties are the object's fields, or a
/// ``LocalValue``, which you can write as a literal. An error that it throws becomes an error of the
/// field; a `GraphQLError` keeps its message and extensions. Closures run concurrently, so protect
/// the state that they share with an actor or a lock.
public struct LocalResolvers: Sendable {
  typealias Resolve = @Sendable (FieldRequest) async throws -> LocalValue
  /// The events of one subscription.
  typealias Events = @Sendable () -> NextEvent
  /// Returns the next event, or nil at the end.
  typealias NextEvent = (isolated (any Actor)?) async throws -> LocalValue?

  /// A field of a type.
  struct Coordinate: Hashable {
    var typename: String
    var field: String
  }

  private(set) var fields: [Coordinate: Resolve] = [:]
  private(set) var roots: [GraphQLOperation.Kind: [String: Resolve]] = [:]
  private(set) var subscriptions: [String: @Sendable (FieldRequest) async throws -> Events] = [:]
  private(set) var typenames: [String: @Sendable (JSONValue) -> String?] = [:]
  /// The data of whole operations, by their names.
  var answers: [String: @Sendable (LocalRequest) async throws -> JSONValue] = [:]

  init() {}
}

// MARK: - Queries and mutations

extension LocalResolvers {
  /// Adds the resolver of a field of the query type, wherever that type occurs.
  public mutating func query<Value: Encodable & Sendable>(
    _ field: String, _ resolve: @escaping @Sendable (FieldRequest) async throws -> Value
  ) {
    query(field) { try await LocalValue.value(resolve($0)) }
  }

  /// Adds the resolver of a field of the query type, wherever that type occurs, that returns a
  /// ``LocalValue``.
  public mutating func query(
    _ field: String, _ resolve: @escaping @Sendable (FieldRequest) async throws -> LocalValue
  ) {
    roots[.query, default: [:]][field] = resolve
  }

  /// Adds the resolver of a field of the mutation type.
  public mutating func mutation<Value: Encodable & Sendable>(
    _ field: String, _ resolve: @escaping @Sendable (FieldRequest) async throws -> Value
  ) {
    mutation(field) { try await LocalValue.value(resolve($0)) }
  }

  /// Adds the resolver of a field of the mutation type that returns a ``LocalValue``.
  public mutating func mutation(
    _ field: String, _ resolve: @escaping @Sendable (FieldRequest) async throws -> LocalValue
  ) {
    roots[.mutation, default: [:]][field] = resolve
  }
}

// MARK: - Subscriptions

extension LocalResolvers {
  /// Adds the resolver of a field of the subscription type.
  ///
  /// Each element of the returned sequence is the field's value in one event. The end of the sequence
  /// completes the subscription. An error is sent as a last event before the subscription completes.
  /// When the client cancels the subscription, the server stops iterating the sequence.
  public mutating func subscription<Events: AsyncSequence & Sendable>(
    _ field: String, _ events: @escaping @Sendable (FieldRequest) async throws -> Events
  ) where Events.Element: Encodable & Sendable {
    subscriptions[field] = { Self.events(try await events($0)) { .value($0) } }
  }

  /// Adds the resolver of a field of the subscription type whose events are ``LocalValue``s.
  public mutating func subscription<Events: AsyncSequence & Sendable>(
    _ field: String, _ events: @escaping @Sendable (FieldRequest) async throws -> Events
  ) where Events.Element == LocalValue {
    subscriptions[field] = { Self.events(try await events($0)) { $0 } }
  }

  private static func events<Base: AsyncSequence & Sendable>(
    _ base: Base, _ value: @escaping @Sendable (Base.Element) -> LocalValue
  ) -> Events {
    {
      var iterator = base.makeAsyncIterator()
      return { isolation in
        try await iterator.nextElement(isolation: isolation).map(value)
      }
    }
  }
}

// MARK: - Other types

extension LocalResolvers {
  /// Adds the resolver of a field of an object type.
  ///
  /// A field without a resolver is read from its object.
  public mutating func field<Value: Encodable & Sendable>(
    _ typename: String, _ field: String,
    _ resolve: @escaping @Sendable (FieldRequest) async throws -> Value
  ) {
    self.field(typename, field) { try await LocalValue.value(resolve($0)) }
  }

  /// Adds the resolver of a field of an object type that returns a ``LocalValue``.
  public mutating func field(
    _ typename: String, _ field: String,
    _ resolve: @escaping @Sendable (FieldRequest) async throws -> LocalValue
  ) {
    fields[Coordinate(typename: typename, field: field)] = resolve
  }

  /// Adds a closure that returns the object type of a value of an interface or union type.
  ///
  /// The server calls it for values without `__typename`.
  public mutating func typename(
    of abstractType: String, _ resolve: @escaping @Sendable (JSONValue) -> String?
  ) {
    typenames[abstractType] = resolve
  }
}
