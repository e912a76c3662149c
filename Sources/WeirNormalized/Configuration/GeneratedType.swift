/// An object type, an interface or a union of the schema, as generated from documents that select its
/// fields: `Library.Book`.
///
/// The names of the schema are then checked by the compiler:
///
/// ```swift
/// var configuration = Library.cacheConfiguration
/// configuration.key(Library.Book.self, \.isbn)
/// configuration[Library.Query.self, \.books] = .connection()
/// ```
public protocol GeneratedType {
  /// The fields that documents select, as properties: ``FieldName`` or, for the roots of mutations
  /// and subscriptions, ``MutationName``.
  associatedtype Fields: GeneratedNames
  /// The name in the schema.
  static var typename: String { get }
}

/// An object type of the schema, as generated from documents that select its fields.
public protocol GeneratedObject: GeneratedType {}

/// Names of the schema as properties, so that key paths can refer to them.
public protocol GeneratedNames {
  /// Creates the names, which takes no time.
  init()
}

/// The name of a field of a type. `Value` is the type of the field's values; for objects, the
/// ``GeneratedType``.
public struct FieldName<Parent: GeneratedType, Value>: Hashable, Sendable {
  /// The name in the schema.
  public let name: String

  /// Creates a name. Generated code does so.
  public init(_ name: String) { self.name = name }
}

/// The name of a field of the mutation or subscription root. The properties of `Arguments` are the
/// names of its arguments.
public struct MutationName<Arguments: GeneratedNames>: Hashable, Sendable {
  /// The name in the schema.
  public let name: String

  /// Creates a name. Generated code does so.
  public init(_ name: String) { self.name = name }
}

/// The name of an argument.
public struct ArgumentName: Hashable, Sendable {
  /// The name in the schema.
  public let name: String

  /// Creates a name. Generated code does so.
  public init(_ name: String) { self.name = name }
}

extension GeneratedObject {
  /// Returns the reference to an entity of this type.
  ///
  /// - Parameters:
  ///   - id: the value of the key, as text.
  ///   - others: the values of the other fields, if the key has several, in their order.
  /// - Returns: the reference.
  public static func entity(_ id: String, _ others: String...) -> Entity {
    others.isEmpty ? Entity(typename, id: id) : Entity(typename, ids: [id] + others)
  }
}

extension GeneratedType {
  /// The path of a field, such as `Query.books`.
  static func path<Value>(_ field: KeyPath<Fields, FieldName<Self, Value>>) -> String {
    "\(typename).\(Fields()[keyPath: field].name)"
  }

  /// The paths of fields.
  static func paths<each Value>(
    _ fields: repeat KeyPath<Fields, FieldName<Self, each Value>>
  ) -> [String] {
    var paths: [String] = []
    for field in repeat each fields { paths.append(path(field)) }
    return paths
  }
}

// MARK: - Configuring a cache

extension NormalizedCacheConfiguration {
  /// Declares that these fields together are the key of a type; see ``keys``.
  public mutating func key<Parent: GeneratedType, First, each Other>(
    _ type: Parent.Type, _ field: KeyPath<Parent.Fields, FieldName<Parent, First>>,
    _ others: repeat KeyPath<Parent.Fields, FieldName<Parent, each Other>>
  ) {
    var names = [Parent.Fields()[keyPath: field].name]
    for other in repeat each others { names.append(Parent.Fields()[keyPath: other].name) }
    keys[type.typename] = .fields(names)
  }

  /// Declares that objects of a type have no key; see ``EntityKey/embedded``.
  public mutating func embedded<Parent: GeneratedType>(_ type: Parent.Type) {
    keys[type.typename] = .embedded
  }

  /// The policy of a field; see ``fields``.
  public subscript<Parent: GeneratedType, Value>(
    type: Parent.Type, field: KeyPath<Parent.Fields, FieldName<Parent, Value>>
  ) -> FieldPolicy? {
    get { fields[type.path(field)] }
    set { fields[type.path(field)] = newValue }
  }

  /// The effects of a mutation or of a subscription's events; see ``mutations``.
  public subscript<Parent: GeneratedType, Arguments>(
    type: Parent.Type, field: KeyPath<Parent.Fields, MutationName<Arguments>>
  ) -> CheckedMutationPolicy<Arguments>? {
    get {
      guard let policy = mutations[Parent.Fields()[keyPath: field].name] else { return nil }
      return CheckedMutationPolicy(policy)
    }
    set { mutations[Parent.Fields()[keyPath: field].name] = newValue?.policy }
  }
}

extension MutationPolicy {
  /// Declares that each result marks these fields as stale. Watches that show them refetch.
  public static func refreshing<Parent: GeneratedType, each Value>(
    _ type: Parent.Type, _ fields: repeat KeyPath<Parent.Fields, FieldName<Parent, each Value>>
  ) -> MutationPolicy {
    var policy = MutationPolicy()
    policy.refreshes = type.paths(repeat each fields)
    return policy
  }
}

/// A ``MutationPolicy`` for a mutation whose arguments the compiler knows.
///
/// ```swift
/// configuration[Library.Mutation.self, \.deleteTodo] = .removing(Library.Todo.self, id: \.id)
/// ```
public struct CheckedMutationPolicy<Arguments: GeneratedNames>: Sendable {
  /// The policy.
  public var policy: MutationPolicy

  /// Creates one from a policy of your own.
  public init(_ policy: MutationPolicy) { self.policy = policy }

  /// Declares that the mutation deletes the entity that an argument identifies, or several arguments if the
  /// key has several fields; see ``MutationPolicy/removing(_:idFrom:)`` and
  /// ``MutationPolicy/removing(_:idsFrom:)``.
  public static func removing<Object: GeneratedObject>(
    _ type: Object.Type, id argument: KeyPath<Arguments, ArgumentName>,
    _ others: KeyPath<Arguments, ArgumentName>...
  ) -> CheckedMutationPolicy {
    let names = ([argument] + others).map { Arguments()[keyPath: $0].name }
    return CheckedMutationPolicy(.removing(type.typename, idsFrom: names))
  }

  /// Declares that each result marks these fields as stale. Watches that show them refetch.
  public static func refreshing<Parent: GeneratedType, each Value>(
    _ type: Parent.Type, _ fields: repeat KeyPath<Parent.Fields, FieldName<Parent, each Value>>
  ) -> CheckedMutationPolicy {
    CheckedMutationPolicy(.refreshing(type, repeat each fields))
  }
}
