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
  /// Changes the store after the result was written; for an optimistic result, too, whenever that is shown
  /// (``MutationField/isOptimistic``).
  ///
  /// For a field of a subscription, it runs for each event of each loop over `subscribe`. Two views that
  /// subscribe to the same events would count each of them twice: subscribe once, and let the views watch.
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

  /// Declares that the mutation deletes an entity that one of its arguments identifies, or several. They
  /// are removed from the store and from every list that holds them.
  ///
  /// ```swift
  /// configuration.mutations["deleteTodo"] = .removing("Todo", idFrom: "input.id")
  /// ```
  ///
  /// - Parameters:
  ///   - typename: the type of the entity. The id of an interface or union is that of an entity of any of its
  ///     types, if these are known.
  ///   - argument: an argument that is a string or a number of any size, or a list of these; or the path to
  ///     one within an argument. Null, or nothing, removes nothing. Any other value is reported.
  /// - Returns: the policy.
  public static func removing(_ typename: String, idFrom argument: String) -> MutationPolicy {
    removing(typename, idsFrom: [argument])
  }

  /// Declares that the mutation deletes the entity whose key several of its arguments form together:
  /// `configuration.mutations["cancel"] = .removing("Seat", idsFrom: ["row", "number"])`.
  ///
  /// - Parameters:
  ///   - typename: the type of the entity, as for ``removing(_:idFrom:)``.
  ///   - arguments: arguments that are strings or numbers, or paths such as `input.row`, in the order in which
  ///     ``EntityKey/fields(_:)`` names the key's fields. If one is null, or nothing, nothing is removed.
  /// - Returns: the policy.
  public static func removing(_ typename: String, idsFrom arguments: [String]) -> MutationPolicy {
    var policy = MutationPolicy { field, transaction in
      transaction.delete(try field.ids(in: arguments), ofTypesWithin: typename)
    }
    policy.removed = FieldPolicy.redirecting(to: typename, idsFrom: arguments).redirect
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
  /// Whether ``value`` is the optimistic one, or nil because that is being made. Changes that an update
  /// makes then disappear together with the optimistic result.
  public let isOptimistic: Bool
  /// The arguments as they are sent, with all digits of numbers that ``arguments`` would round.
  let exactArguments: [String: JSON]
}

extension MutationField {
  /// The ids that an argument is or contains, or the one that several arguments form, with the text that
  /// they have in an entity's key. Arguments are given as their names, or as paths such as `input.id`.
  func ids(in paths: [String]) throws(StoreError) -> [String] {
    var values: [JSON] = []
    for path in paths {
      guard let value = try value(at: path) else { return [] }
      values.append(value)
    }
    let isList = values.count == 1 && values[0].kind == .array
    var ids: [String] = []
    for key in isList ? values[0].elements.map({ [$0] }) : [values] {
      var parts: [[UInt8]?] = []
      for (value, path) in zip(key, paths) { parts.append(try part(of: value, at: path)) }
      if let id = EntityKeyText.make(parts) { ids.append(String(decoding: id, as: UTF8.self)) }
    }
    return ids
  }

  private func value(at path: String) throws(StoreError) -> JSON? {
    let steps = ArgumentPath(path)
    do {
      return try steps.value(in: exactArguments[steps.argument])
    } catch {
      throw StoreError(.noKey, "The argument \(path) of \(name) has \(error).")
    }
  }

  private func part(of value: JSON, at path: String) throws(StoreError) -> [UInt8] {
    let part = value.withTape { tape, index in EntityKeyText.component(tape[index], tape) }
    if let part { return part }
    let kind =
      switch value.kind {
      case .object: "an object"
      case .array: "a list"
      case .null: "null"
      default: "an empty string"
      }
    throw StoreError(.noKey, "The argument \(path) of \(name) has \(kind) instead of an id.")
  }
}

extension StoreTransaction {
  /// Removes the entities of a type, or of its object types, that have these ids, and takes them out of all
  /// lists.
  fileprivate mutating func delete(_ ids: [String], ofTypesWithin typename: String) {
    let names = catalog.policies.objectTypes(within: typename).sorted()
    let entities = ids.flatMap { id in names.map { Entity($0, id: id) } }
    removeFromLists(Set(entities))
    for entity in entities { remove(.entity(entity)) }
  }
}
