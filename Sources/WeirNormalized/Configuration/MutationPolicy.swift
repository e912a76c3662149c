public import Weir

/// What a field of the mutation root, or of the subscription root, does to the store beyond what its
/// result says. A field that the server answers with an error does nothing; nor does one that is null
/// while an error does not say by its path which field it belongs to.
///
/// ```swift
/// configuration.mutations["deleteTodo"] = .removing("Todo", idFrom: "id")
/// configuration.mutations["addTodo"] = MutationPolicy { field, transaction in
///   try transaction.update(todos) { data in … }
/// }
/// ```
///
/// All of it happens in one step with the writing of the result, and with an optimistic result for
/// as long as that lasts.
public struct MutationPolicy: Sendable {
  /// Makes the field's value before the server answers, from the field and what the store holds;
  /// nil for none. It runs again whenever something below changes.
  public var optimistic: (@Sendable (MutationField, borrowing StoreTransaction) -> JSONValue?)?
  /// Changes the store after the result was written.
  public var update: (@Sendable (MutationField, inout StoreTransaction) throws -> Void)?
  /// Fields, as `Query.todos`, that become stale with each result, all variants of them.
  public var refreshes: [String] = []

  /// A policy that says nothing, or only how the store is changed.
  public init(
    update: (@Sendable (MutationField, inout StoreTransaction) throws -> Void)? = nil,
    optimistic: (@Sendable (MutationField, borrowing StoreTransaction) -> JSONValue?)? = nil
  ) {
    self.update = update
    self.optimistic = optimistic
  }

  /// The mutation deletes an entity that one of its arguments names: it is removed from the store,
  /// and from every list that holds it. The argument is a string, or a number of any size.
  public static func removing(_ typename: String, idFrom argument: String) -> MutationPolicy {
    MutationPolicy { field, transaction in
      guard let id = field.id(in: argument) else { return }
      transaction.removeFromLists(Entity(typename, id: id))
      transaction.remove(.entity(Entity(typename, id: id)))
    }
  }

  /// Each result makes these fields stale, such as `Query.todos`; those who show them refetch.
  public static func refreshing(_ fields: String...) -> MutationPolicy {
    var policy = MutationPolicy()
    policy.refreshes = fields
    return policy
  }
}

/// One field of a mutation that is under way, or has been answered.
public struct MutationField: Sendable {
  /// Its name in the schema.
  public let name: String
  /// Its arguments with variables put in, an object.
  public let arguments: JSONValue
  /// What it has returned; nil before it was answered.
  public let value: JSON?
  /// The arguments as they are sent: with all digits of numbers that ``arguments`` would round.
  let exactArguments: [String: JSON]
}

extension MutationField {
  /// The text of an argument that is an id, as it is written in an entity's key.
  func id(in argument: String) -> String? {
    exactArguments[argument].flatMap { argument in
      argument.withTape { tape, index in EntityKeyText.component(tape[index], tape) }
    }.map { String(decoding: $0, as: UTF8.self) }
  }
}
