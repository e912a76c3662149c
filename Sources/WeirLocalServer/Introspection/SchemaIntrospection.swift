import GraphQLLanguage
import GraphQLValidation
import Weir

/// The values of `__schema` and `__type` (specification, section 4).
///
/// Lists of types and fields are closures, so that a request computes only what it selects, and types
/// that refer to each other end where the selections do.
struct SchemaIntrospection: Sendable {
  let types: TypeSystem

  /// Returns the value of a field of the query type; nil for a field that is not one of introspection.
  func value(of request: FieldRequest) -> LocalValue? {
    switch request.field {
    case "__schema": schema
    case "__type": request["name"].string.map { isPresent($0) ? type($0) : nil } ?? nil
    default: nil
    }
  }

  private var schema: LocalValue {
    .object(
      "__Schema",
      [
        "description": text(types.description),
        "types": .field { _ in LocalValue(.list(allTypeNames.map(type))) },
        "queryType": root(.query), "mutationType": root(.mutation),
        "subscriptionType": root(.subscription),
        "directives": .field { _ in LocalValue(.list(directives.map(directive))) },
      ])
  }

  private func root(_ kind: OperationKind) -> LocalValue {
    types.rootTypes[kind].map { type($0) } ?? nil
  }

  /// The types of the schema in its order, then those of the introspection and the scalars of the
  /// specification that are in use (section 3.5).
  private var allTypeNames: [String] {
    let own = Set(types.typeNames)
    let used = usedTypeNames
    let others = types.types.keys.filter { !own.contains($0) && isPresent($0, among: used) }
    return types.typeNames + others.sorted()
  }

  private func isPresent(_ name: String) -> Bool {
    isPresent(name, among: types.types[name]?.kind == .scalar ? usedTypeNames : [])
  }

  private func isPresent(_ name: String, among used: Set<String>) -> Bool {
    types.types[name]?.kind != .scalar || used.contains(name) || types.typeNames.contains(name)
  }

  /// The names of the types that a field, an argument or an input field has.
  private var usedTypeNames: Set<String> {
    var inputs = directives.flatMap(\.arguments)
    var names: Set<String> = []
    for type in types.types.values {
      inputs += type.inputFields + type.fields.flatMap(\.arguments)
      names.formUnion(type.fields.map(\.type.namedType))
    }
    return names.union(inputs.map(\.type.namedType))
  }

  /// The directives of the specification and those that the schema defines. Others, such as `@defer`,
  /// are known to the validation, but not supported.
  private var directives: [SchemaDirective] {
    types.directives.values.filter {
      !$0.isBuiltIn || TypeSystem.specifiedDirectives.contains($0.name)
    }.sorted { $0.name < $1.name }
  }

  private func directive(_ directive: SchemaDirective) -> LocalValue {
    .object(
      "__Directive",
      [
        "name": .value(directive.name), "description": text(directive.description),
        "isRepeatable": .value(directive.isRepeatable),
        "locations": .value(directive.locations.map(\.rawValue)),
        "args": inputs(directive.arguments),
      ])
  }
}

// MARK: - Types

extension SchemaIntrospection {
  private func type(_ name: String) -> LocalValue {
    guard let type = types.types[name] else { return nil }
    var members: [String: LocalValue] = [
      "kind": .value(type.kind.location.rawValue), "name": .value(name),
      "description": text(type.description), "specifiedByURL": text(type.specifiedBy),
    ]
    switch type.kind {
    case .object, .interface:
      members["fields"] = .field { request in
        LocalValue(.list(request.shown(type.fields).map(field)))
      }
      members["interfaces"] = .field { _ in LocalValue(.list(type.interfaces.map(self.type))) }
    case .enum:
      members["enumValues"] = .field { request in
        LocalValue(
          .list(request.shown(type.values).map { .object("__EnumValue", deprecation(of: $0)) }))
      }
    case .inputObject:
      members["inputFields"] = inputs(type.inputFields)
      members["isOneOf"] = .value(type.isOneOf)
    case .scalar, .union: break
    }
    if type.isAbstract {
      members["possibleTypes"] = .field { _ in
        LocalValue(.list(types.possibleTypes(of: name).map(self.type)))
      }
    }
    return .object("__Type", members)
  }

  private func type(_ reference: TypeReference) -> LocalValue {
    switch reference {
    case .named(let name): type(name)
    case .list(let inner):
      .object("__Type", ["kind": "LIST", "ofType": .field { _ in type(inner) }])
    case .nonNull(let inner):
      .object("__Type", ["kind": "NON_NULL", "ofType": .field { _ in type(inner) }])
    }
  }

  private func field(_ field: SchemaField) -> LocalValue {
    var members = deprecation(of: field)
    members["args"] = inputs(field.arguments)
    members["type"] = .field { _ in type(field.type) }
    return .object("__Field", members)
  }

  private func inputs(_ inputs: [SchemaInput]) -> LocalValue {
    .field { request in
      LocalValue(
        .list(
          request.shown(inputs).map { input in
            var members = deprecation(of: input)
            members["type"] = .field { _ in type(input.type) }
            members["defaultValue"] = text(input.definition.defaultValue?.canonicalText)
            return .object("__InputValue", members)
          }))
    }
  }

  /// The members that fields, arguments and values of enumerations share.
  private func deprecation(of element: some SchemaElement) -> [String: LocalValue] {
    [
      "name": .value(element.name), "description": text(element.description),
      "isDeprecated": .value(element.deprecationReason != nil),
      "deprecationReason": text(element.deprecationReason),
    ]
  }

  private func text(_ text: String?) -> LocalValue { text.map { .value($0) } ?? nil }
}

extension FieldRequest {
  /// The elements that `includeDeprecated` asks for.
  fileprivate func shown<Element: SchemaElement>(_ elements: [Element]) -> [Element] {
    self["includeDeprecated"].bool == true
      ? elements : elements.filter { $0.deprecationReason == nil }
  }
}
