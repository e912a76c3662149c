import GraphQLLanguage
import GraphQLValidation
import Weir

/// Coerces argument and variable values to their types (specification, section 3, "Input Coercion"
/// of each kind of type). A value of an unknown type stays as it is.
struct InputCoercion: Sendable {
  /// Why a value does not fit its type; does not contain the value.
  struct Mismatch: Error {
    let message: String

    init(_ message: String) { self.message = message }
  }

  /// A value before coercion.
  enum Input {
    /// A value of a request's variables.
    case json(JSONValue)
    /// A value in the document, with the coerced variables that it may contain.
    case literal(Value, variables: JSONObject = [:])
  }

  let schema: LocalSchema?

  private static let builtInScalars: Set = ["Int", "Float", "String", "Boolean", "ID"]

  /// Coerces a value; without a type, converts it to JSON.
  ///
  /// - Returns: nil for a variable without a value.
  func value(_ input: Input, as type: TypeReference?) throws(Mismatch) -> JSONValue? {
    if case .literal(.variable(let name), let variables) = input {
      if let type, type.isNonNull, variables[name]?.isNull == true { throw .null(type) }
      return variables[name]
    }
    switch type {
    case nil:
      return input.json
    case .nonNull(let inner)?:
      if input.isNull { throw .null(.nonNull(inner)) }
      return try value(input, as: inner)
    case _ where input.isNull:
      return .null
    case .list(let inner)?:
      return .array(
        try (input.elements ?? [input]).map { (element) throws(Mismatch) in
          try value(element, as: inner) ?? .null
        })
    case .named(let name)?:
      return try value(input, as: name)
    }
  }

  private func value(_ input: Input, as name: String) throws(Mismatch) -> JSONValue {
    let type = schema?.types.types[name]
    switch type?.kind {
    case .inputObject:
      guard let members = input.members else {
        throw Mismatch("Expected an object of \"\(name)\".")
      }
      let value = try object(members, of: name, fields: type?.inputFields.map(\.definition) ?? [])
      if type?.isOneOf == true { try checkOneOf(value, of: name, given: members.count) }
      return .object(value)
    case .enum:
      guard let value = input.enumValue, type?.value(value) != nil else {
        throw Mismatch("Expected a value of \"\(name)\".")
      }
      return .string(value)
    case .scalar, nil:
      return try scalar(input, as: name)
    case .object, .interface, .union:
      throw Mismatch("\"\(name)\" is not an input type.")
    }
  }

  private func object(
    _ members: [String: Input], of name: String, fields: [InputValueDefinition]
  ) throws(Mismatch) -> JSONObject {
    for key in members.keys.sorted() where !fields.contains(where: { $0.name == key }) {
      throw Mismatch("Field \"\(key)\" is not defined by type \"\(name)\".")
    }
    var object = JSONObject()
    for field in fields {
      if let member = members[field.name], let value = try value(member, as: field.type) {
        object[field.name] = value
      } else if let defaultValue = field.defaultValue {
        object[field.name] = try value(.literal(defaultValue), as: field.type)
      } else if field.type.isNonNull {
        let type = field.type.canonicalText
        throw Mismatch(
          "Field \"\(name).\(field.name)\" of required type \"\(type)\" was not provided.")
      }
    }
    return object
  }

  /// Section 3.10.1, "OneOf Input Objects".
  private func checkOneOf(
    _ object: JSONObject, of name: String, given count: Int
  ) throws(Mismatch) {
    guard count == 1, object.count == 1, object.values[0].isNull == false else {
      throw Mismatch("Exactly one field of \"\(name)\" must be given, and it must not be null.")
    }
  }

  private func scalar(_ input: Input, as name: String) throws(Mismatch) -> JSONValue {
    let json = input.json
    let coerced: JSONValue? =
      switch name {
      case _ where input.isEnumLiteral && Self.builtInScalars.contains(name): .none
      case "Int": json.int32.map { .int($0) }
      case "Float": json.double.map { .double($0) }
      case "String": json.string.map { .string($0) }
      case "Boolean": json.bool.map { .bool($0) }
      case "ID": input.id.map { .string($0) }
      default: json
      }
    guard let coerced else { throw Mismatch("\(name) cannot represent the given value.") }
    return coerced
  }
}

extension InputCoercion.Mismatch {
  fileprivate static func null(_ type: TypeReference) -> Self {
    Self("Expected non-nullable type \"\(type.canonicalText)\" not to be null.")
  }
}

extension InputCoercion.Input {
  var isNull: Bool {
    switch self {
    case .json(let json): json.isNull
    case .literal(let literal, _): literal == .null
    }
  }

  var isEnumLiteral: Bool {
    if case .literal(.enum, _) = self { true } else { false }
  }

  /// The name of an enumeration's value: an enum literal, or a string in JSON.
  var enumValue: String? {
    switch self {
    case .json(let json): json.string
    case .literal(.enum(let name), _): name
    case .literal: nil
    }
  }

  /// The value as an ID: a string, or an integer of any size (section 3.5.5).
  var id: String? {
    switch self {
    case .literal(.int(let digits), _): digits
    case .json(.uint(let number)): String(number)
    case .literal(.float, _): nil
    case .json, .literal: json.string ?? json.int.map { String($0) }
    }
  }

  /// The elements of a list; nil for any other value.
  var elements: [Self]? {
    switch self {
    case .json(let json): json.array?.map { .json($0) }
    case .literal(.list(let elements), let variables):
      elements.map { .literal($0, variables: variables) }
    case .literal: nil
    }
  }

  /// The members of an object; nil for any other value.
  var members: [String: Self]? {
    switch self {
    case .json(let json):
      json.object.map { Dictionary($0.map { ($0.key, .json($0.value)) }) { $1 } }
    case .literal(.object(let fields), let variables):
      Dictionary(fields.map { ($0.name, .literal($0.value, variables: variables)) }) { $1 }
    case .literal: nil
    }
  }

  /// The value as JSON, without coercion.
  var json: JSONValue {
    switch self {
    case .json(let json): json
    case .literal(let literal, let variables): literal.json(variables)
    }
  }
}

extension Value {
  fileprivate func json(_ variables: JSONObject) -> JSONValue {
    switch self {
    case .variable(let name): variables[name] ?? .null
    case .int(let text):
      Int64(text).map { .int($0) } ?? UInt64(text).map { .uint($0) } ?? .double(Double(text) ?? 0)
    case .float(let text): .double(Double(text) ?? 0)
    case .string(let string): .string(string.value)
    case .boolean(let bool): .bool(bool)
    case .null: .null
    case .enum(let name): .string(name)
    case .list(let elements): .array(elements.map { $0.json(variables) })
    case .object(let fields):
      .object(
        JSONObject(
          fields.compactMap { field in
            // A field with an absent variable is absent, too: specification, section 3.10.
            if case .variable(let name) = field.value, !variables.keys.contains(name) { return nil }
            return (field.name, field.value.json(variables))
          }))
    }
  }
}

extension JSONValue {
  /// The value of a 32-bit integer, the range of GraphQL's `Int`.
  var int32: Int64? {
    int.flatMap { Int32(exactly: $0) != nil ? $0 : nil }
  }
}
