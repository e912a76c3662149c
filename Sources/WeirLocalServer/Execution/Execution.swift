import GraphQLLanguage
import GraphQLValidation
import Weir

/// A validated request that is ready for execution (specification, section 6).
struct Execution: Sendable {
  let operation: OperationDefinition
  let rootTypename: String
  let fragments: [String: FragmentDefinition]
  /// The coerced variables.
  private(set) var variables: JSONObject
  let request: LocalRequest
  let schema: LocalSchema?
  let resolvers: LocalResolvers
  let clock: any Clock<Duration>

  /// The root type for fragments. Without a schema, its name is not known, and every fragment applies.
  var rootOfFragments: String? { schema == nil ? nil : rootTypename }

  var kind: GraphQLOperation.Kind { GraphQLOperation.Kind(operation.kind) }
  var coercion: InputCoercion { InputCoercion(schema: schema) }

  /// Parses the document, selects and validates the operation, and coerces the variables.
  init(
    _ request: LocalRequest, schema: LocalSchema?, resolvers: LocalResolvers,
    clock: any Clock<Duration>
  ) throws(RequestErrors) {
    let document: Document
    do {
      document = try Document(parsing: request.text)
    } catch {
      throw RequestErrors(
        "Syntax Error: \(error.message)", [.init(line: error.line, column: error.column)])
    }
    operation = try Self.operation(named: request.operationName, in: document)
    fragments = Dictionary(document.fragments.map { ($0.name, $0) }) { first, _ in first }
    let kind = GraphQLOperation.Kind(operation.kind)
    guard let root = schema.map({ $0.root(kind) }) ?? kind.typename else {
      throw RequestErrors("The schema has no \(kind.rawValue) type.")
    }
    rootTypename = root
    self.request = request
    self.schema = schema
    self.resolvers = resolvers
    self.clock = clock
    variables = [:]
    try Validation.checkNesting(operation, fragments)
    try Validation.check(document, of: request, against: schema)
    variables = try coercedVariables()
    if schema == nil { try checkRootFields() }
  }

  private static func operation(
    named name: String?, in document: Document
  ) throws(RequestErrors) -> OperationDefinition {
    if let operation = document.operation(named: name) { return operation }
    if let name { throw RequestErrors("Unknown operation named \"\(name)\".") }
    throw RequestErrors(
      document.operations.isEmpty
        ? "Must provide an operation."
        : "Must provide operation name if query contains multiple operations.")
  }

  /// Section 6.1.2, "CoerceVariableValues".
  private func coercedVariables() throws(RequestErrors) -> JSONObject {
    var variables = JSONObject()
    for definition in operation.variableDefinitions {
      do throws(InputCoercion.Mismatch) {
        if let value = request.variables[definition.name] {
          variables[definition.name] = try coercion.value(.json(value), as: definition.type)
        } else if let value = definition.defaultValue {
          variables[definition.name] = try coercion.value(.literal(value), as: definition.type)
        } else if definition.type.isNonNull {
          throw InputCoercion.Mismatch("It is required, but was not provided.")
        }
      } catch {
        throw RequestErrors(
          "Variable \"$\(definition.name)\" of type \"\(definition.type.canonicalText)\" got an "
            + "invalid value: \(error.message)",
          request.text.locations(of: definition.location))
      }
    }
    return variables
  }
}

// MARK: - Operations

extension Execution {
  /// Without a schema, a root field must have a resolver.
  private func checkRootFields() throws(RequestErrors) {
    if operation.name.flatMap({ resolvers.answers[$0] }) != nil { return }
    for field in collectFields([operation.selectionSet], typename: nil).map(\.[0]) {
      let hasResolver =
        kind == .subscription
        ? resolvers.subscriptions[field.name] != nil
        : resolvers.roots[kind]?[field.name] != nil
      if hasResolver || field.name == "__typename" { continue }
      throw RequestErrors(
        "Cannot query field \"\(field.name)\" on type \"\(rootTypename)\".",
        request.text.locations(of: field.location))
    }
  }
}

extension Execution {
  /// Executes a query or a mutation (section 6.2).
  func response() async -> LocalResponse {
    guard let answer = operation.name.flatMap({ resolvers.answers[$0] }) else {
      return await response(root: LocalValue(.object([:])))
    }
    do {
      return LocalResponse(data: try await answer(request), errors: [])
    } catch {
      let reported = error as? GraphQLError ?? GraphQLError(message: "\(error)")
      return LocalResponse(data: .null, errors: [reported])
    }
  }

  /// Executes a subscription for an event (section 6.2.3, "ExecuteSubscriptionEvent").
  func response(event: LocalValue) async -> LocalResponse {
    guard let field = subscribedField else {
      return LocalResponse(.oneSubscribedField)
    }
    return await response(root: LocalValue(.object([field.name: event])))
  }

  private func response(root: LocalValue) async -> LocalResponse {
    let outcome = await members(
      of: root, typename: rootTypename, selectionSets: [operation.selectionSet], path: [],
      isSerial: kind == .mutation)
    return LocalResponse(data: outcome.value ?? .null, errors: outcome.errors)
  }

  /// The only root field of a subscription (section 5.2.4.1, "Single Root Field").
  private var subscribedField: Field? {
    let fields = collectFields([operation.selectionSet], typename: rootOfFragments)
    return fields.count == 1 ? fields[0][0] : nil
  }

  /// The error of a subscription whose events have ended with one.
  func eventError(_ error: any Error) -> GraphQLError {
    guard let field = subscribedField else { return GraphQLError(message: "\(error)") }
    return self.error(error, in: field, path: [.key(field.responseKey)])
  }

  /// Returns the events of a subscription from the closure of its field (section 6.2.3.1).
  func events() async throws(RequestErrors) -> LocalResolvers.Events {
    guard let field = subscribedField else { throw .oneSubscribedField }
    let subscribe = resolvers.subscriptions[field.name]
    if subscribe == nil, schema?.samples == nil {
      throw RequestErrors("The server has no resolver for Subscription.\(field.name).")
    }
    let definition = schema?.types.types[rootTypename]?.field(field.name)?.definition
    do {
      let request = FieldRequest(
        typename: rootTypename, field: field.name,
        arguments: try arguments(of: field, definition: definition),
        path: [.key(field.responseKey)], request: request, object: [:], clock: clock)
      if let subscribe { return try await subscribe(request) }
      guard let definition, let samples = schema?.samples else {
        throw RequestErrors.oneSubscribedField
      }
      return samples.events(of: definition, request)
    } catch {
      throw RequestErrors([self.error(error, in: field, path: [.key(field.responseKey)])])
    }
  }
}

extension RequestErrors {
  fileprivate static let oneSubscribedField = RequestErrors(
    "A subscription must select exactly one root field.")
}
