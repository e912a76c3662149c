import GraphQLLanguage
import GraphQLValidation
import Weir

/// The result of executing a field, with errors in the order of the selections.
///
/// The value is nil if it would be null but its type does not allow null; then its parent becomes
/// null (specification, section 6.4.4).
struct Outcome: Sendable {
  var value: JSONValue?
  var errors: [GraphQLError] = []
}

// MARK: - Objects

extension Execution {
  /// Section 6.3.2, "CollectFields": returns the fields of an object, grouped by response key.
  func collectFields(_ selectionSets: [SelectionSet], typename: String?) -> [[Field]] {
    var collection = FieldCollection()
    for set in selectionSets { collect(set, typename: typename, into: &collection) }
    return collection.fields
  }

  private struct FieldCollection {
    var fields: [[Field]] = []
    var positions: [String: Int] = [:]
    var visitedFragments: Set<String> = []

    mutating func add(_ field: Field) {
      if let position = positions[field.responseKey] {
        fields[position].append(field)
      } else {
        positions[field.responseKey] = fields.count
        fields.append([field])
      }
    }
  }

  private func collect(
    _ set: SelectionSet, typename: String?, into collection: inout FieldCollection
  ) {
    for selection in set.selections {
      switch selection {
      case .field(let field) where isIncluded(field.directives):
        collection.add(field)
      case .fragmentSpread(let spread) where isIncluded(spread.directives):
        guard collection.visitedFragments.insert(spread.name).inserted,
          let fragment = fragments[spread.name], applies(fragment.typeCondition, to: typename)
        else { continue }
        collect(fragment.selectionSet, typename: typename, into: &collection)
      case .inlineFragment(let fragment) where isIncluded(fragment.directives):
        guard applies(fragment.typeCondition, to: typename) else { continue }
        collect(fragment.selectionSet, typename: typename, into: &collection)
      case .field, .fragmentSpread, .inlineFragment: continue
      }
    }
  }

  /// Sections 3.13.1 and 3.13.2, `@skip` and `@include`.
  private func isIncluded(_ directives: [Directive]) -> Bool {
    directives.allSatisfy { directive in
      guard directive.isCondition,
        let condition = directive.arguments.first(where: { $0.name == "if" })?.value
      else { return true }
      let value = try? coercion.value(.literal(condition, variables: variables), as: nil)
      // Anything but true, such as the null of a variable, neither skips nor includes.
      return (value?.bool ?? false) == directive.isKnown(as: .include)
    }
  }

  private func applies(_ condition: String?, to typename: String?) -> Bool {
    guard let condition, let typename else { return true }
    return schema?.isObject(typename, of: condition) ?? (condition == typename)
  }

  /// Section 6.3, "Executing Selection Sets": the object is null if a non-null field of it failed.
  func members(
    of object: LocalValue, typename: String?, selectionSets: [SelectionSet],
    path: [GraphQLError.PathElement], isSerial: Bool = false
  ) async -> Outcome {
    let fields = collectFields(selectionSets, typename: path.isEmpty ? rootOfFragments : typename)
    let outcomes = await outcomes(count: fields.count, isSerial: isSerial) { position in
      await execute(fields[position], of: object, typename: typename, path: path)
    }
    var members = JSONObject()
    var isNull = false
    for (field, outcome) in zip(fields, outcomes) {
      if let value = outcome.value { members[field[0].responseKey] = value } else { isNull = true }
    }
    return Outcome(
      value: isNull ? .null : .object(members), errors: outcomes.flatMap(\.errors))
  }

  /// Runs closures concurrently or one after the other; returns the outcomes in order.
  func outcomes(
    count: Int, isSerial: Bool,
    _ execute: @escaping @Sendable (Int) async -> Outcome
  ) async -> [Outcome] {
    if isSerial || count < 2 {
      var outcomes: [Outcome] = []
      for position in 0..<count { outcomes.append(await execute(position)) }
      return outcomes
    }
    return await withTaskGroup(of: (Int, Outcome).self) { group in
      for position in 0..<count {
        group.addTask { (position, await execute(position)) }
      }
      var outcomes = [Outcome](repeating: Outcome(), count: count)
      for await (position, outcome) in group { outcomes[position] = outcome }
      return outcomes
    }
  }
}

// MARK: - Fields

extension Execution {
  /// Section 6.4, "ExecuteField".
  private func execute(
    _ fields: [Field], of object: LocalValue, typename: String?, path: [GraphQLError.PathElement]
  ) async -> Outcome {
    let field = fields[0]
    let path = path + [.key(field.responseKey)]
    if field.name == "__typename" {
      return Outcome(value: typename.map { .string($0) } ?? object["__typename"]?.json ?? .null)
    }
    let definition = definition(of: field.name, typename: typename)
    let value: LocalValue
    let request: FieldRequest
    do {
      request = FieldRequest(
        typename: typename, field: field.name,
        arguments: try arguments(of: field, definition: definition), path: path,
        request: self.request, object: object, clock: clock)
      value = try await resolve(request, definition, isRoot: path.count == 1)
    } catch {
      return failed(error, fields, path, isNonNull: definition?.type.isNonNull ?? false)
    }
    return await complete(
      value, as: definition?.type, Place(fields: fields, request: request, path: path))
  }

  /// The definition of a field, also of those for introspection.
  func definition(of field: String, typename: String?) -> FieldDefinition? {
    guard let types = schema?.types, let type = typename.flatMap({ types.types[$0] }) else {
      return nil
    }
    return types.field(field, of: type)?.definition
  }

  /// Section 6.4.1, "CoerceArgumentValues".
  func arguments(of field: Field, definition: FieldDefinition?) throws -> JSONObject {
    var arguments = JSONObject()
    guard let definition else {
      for argument in field.arguments {
        arguments[argument.name] = try coercion.value(
          .literal(argument.value, variables: variables), as: nil)
      }
      return arguments
    }
    for expected in definition.arguments {
      let given = field.arguments.first { $0.name == expected.name }?.value
      if let given,
        let value = try coercion.value(.literal(given, variables: variables), as: expected.type)
      {
        arguments[expected.name] = value
      } else if let value = expected.defaultValue {
        arguments[expected.name] = try coercion.value(.literal(value), as: expected.type)
      } else if expected.type.isNonNull {
        let type = expected.type.canonicalText
        throw InputCoercion.Mismatch(
          "Argument \"\(expected.name)\" of required type \"\(type)\" was not provided.")
      }
    }
    return arguments
  }

  /// Returns the value of a field: from its resolver if there is one, otherwise from its object or a
  /// sample.
  private func resolve(
    _ request: FieldRequest, _ definition: FieldDefinition?, isRoot: Bool
  ) async throws -> LocalValue {
    if request.field.hasPrefix("__"), let schema, request.typename == schema.root(.query) {
      return SchemaIntrospection(types: schema.types).value(of: request) ?? nil
    }
    if isRoot, let resolve = resolvers.roots[kind]?[request.field] {
      return try await resolve(request)
    }
    if let typename = request.typename,
      let resolve = resolvers.fields[.init(typename: typename, field: request.field)]
    {
      return try await resolve(request)
    }
    if !isRoot, let resolve = nestedRootResolver(of: request) { return try await resolve(request) }
    if let member = request.object[request.field] { return member }
    // What the introspection of a type lacks is null.
    if let definition, let samples = schema?.samples, request.typename?.hasPrefix("__") != true {
      return samples.value(of: definition, request)
    }
    if isRoot, kind != .subscription {
      throw GraphQLError(
        message: "The server has no resolver for \(rootTypename).\(request.field).")
    }
    return nil
  }

  /// The resolver of a field of a root type that occurs deeper, as in a mutation's payload.
  private func nestedRootResolver(of request: FieldRequest) -> LocalResolvers.Resolve? {
    let kind = [GraphQLOperation.Kind.query, .mutation].first { kind in
      (schema.map { $0.root(kind) } ?? kind.typename) == request.typename
    }
    return kind.flatMap { resolvers.roots[$0]?[request.field] }
  }

  /// Makes the outcome of a field error: null, or nil for a non-null type.
  func failed(
    _ error: any Error, _ fields: [Field], _ path: [GraphQLError.PathElement], isNonNull: Bool
  ) -> Outcome {
    Outcome(value: isNonNull ? nil : .null, errors: [self.error(error, in: fields[0], path: path)])
  }

  func error(
    _ error: any Error, in field: Field, path: [GraphQLError.PathElement]
  ) -> GraphQLError {
    var reported = error as? GraphQLError ?? GraphQLError(message: error.fieldMessage)
    reported.path = path
    reported.locations = request.text.locations(of: field.location)
    return reported
  }
}

extension Error {
  fileprivate var fieldMessage: String {
    (self as? InputCoercion.Mismatch)?.message ?? "\(self)"
  }
}
