public import Weir

/// Declares what a field of the mutation or subscription root does to the store beyond its result.
///
/// A field that the server answers with an error does nothing. Neither does a field that is null while
/// an error has no path that tells which field it belongs to.
///
/// ```swift
/// configuration.mutations["deleteTodo"] = .removing("Todo", idFrom: "id")
/// configuration.mutations["addTodo"] = MutationPolicy { field, transaction in
///   try transaction.update(todos) { data in … }
/// }
/// ```
///
/// All effects take place in one step with the writing of the result. Those of an optimistic result
/// last as long as that result. A field that has no optimistic value has none before the server responds.
public struct MutationPolicy: Sendable {
  /// Returns the field's value before the server responds, based on the field and the store's
  /// content; nil for no optimistic value. It runs again whenever data below the optimistic result
  /// changes.
  public var optimistic: (@Sendable (MutationField, borrowing StoreTransaction) -> JSONValue?)?
  /// Changes the store after the result was written.
  public var update: (@Sendable (MutationField, inout StoreTransaction) throws -> Void)?
  /// Fields such as `Query.todos` that each result marks as stale, for all arguments.
  public var refreshes: [String] = []
  /// What the mutation deletes, to be compared with the API.
  fileprivate(set) var removed: EntityRedirect?

  /// Creates a policy that declares nothing, or only how the store changes.
  public init(
    update: (@Sendable (MutationField, inout StoreTransaction) throws -> Void)? = nil,
    optimistic: (@Sendable (MutationField, borrowing StoreTransaction) -> JSONValue?)? = nil
  ) {
    self.update = update
    self.optimistic = optimistic
  }

  /// Declares that the mutation deletes an entity that one of its arguments identifies. The entity
  /// is removed from the store and from every list that holds it. The argument is a string, or a
  /// number of any size.
  public static func removing(_ typename: String, idFrom argument: String) -> MutationPolicy {
    var policy = MutationPolicy { field, transaction in
      guard let id = field.id(in: argument) else { return }
      transaction.removeFromLists(Entity(typename, id: id))
      transaction.remove(.entity(Entity(typename, id: id)))
    }
    policy.removed = FieldPolicy.redirecting(to: typename, idFrom: argument).redirect
    return policy
  }

  /// Declares that each result marks these fields, such as `Query.todos`, as stale. Watches that
  /// show them refetch.
  public static func refreshing(_ fields: String...) -> MutationPolicy {
    var policy = MutationPolicy()
    policy.refreshes = fields
    return policy
  }
}

/// One field of a mutation that is in flight or was answered.
public struct MutationField: Sendable {
  /// The field's name in the schema.
  public let name: String
  /// The arguments, an object with variables resolved.
  public let arguments: JSONValue
  /// The field's result; nil until the server has responded.
  public let value: JSON?
  /// The arguments as they are sent, with all digits of numbers that ``arguments`` would round.
  let exactArguments: [String: JSON]
}

extension MutationField {
  /// The text of an argument that is an id, as in an entity's key.
  func id(in argument: String) -> String? {
    exactArguments[argument].flatMap { argument in
      argument.withTape { tape, index in EntityKeyText.component(tape[index], tape) }
    }.map { String(decoding: $0, as: UTF8.self) }
  }
}
