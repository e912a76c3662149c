import GraphQLLanguage
import Weir

/// Makes argument and variable values what their types say (specification, section 3, "Input
/// Coercion" of each kind of type). Of types that are not known it takes everything.
struct InputCoercion: Sendable {
  /// Why a value does not fit; without the value.
  struct Mismatch: Error {
    let message: String

    init(_ message: String) { self.message = message }
  }

  let schema: LocalSchema?

  /// A value that came as JSON.
  func value(_ json: JSONValue, as type: TypeReference) throws(Mismatch) -> JSONValue {
    switch type {
    case .nonNull(let inner):
      if json.isNull { throw .null(type) }
      return try value(json, as: inner)
    case _ where json.isNull:
      return .null
    case .list(let inner):
      guard let elements = json.array else { return .array([try value(json, as: inner)]) }
      return .array(
        try elements.map { (element) throws(Mismatch) in try value(element, as: inner) })
    case .named(let name):
      switch schema?.types[name]?.kind {
      case .inputObject:
        guard let members = json.object else {
          throw Mismatch("Expected an object of \"\(name)\".")
        }
        return try object(Dictionary(members.map { ($0.key, $0.value) }) { $1 }, of: name) {
          (member, type) throws(Mismatch) in try value(member, as: type)
        }
      case .enum: return try enumValue(json.string, of: name)
      case .scalar, nil: return try scalar(json, as: name)
      case .object, .interface, .union: throw Mismatch("\"\(name)\" is no input type.")
      }
    }
  }

  /// A value that stands in the document.
  ///
  /// - Returns: nil for a variable that has no value.
  func value(
    _ literal: Value, as type: TypeReference?, variables: JSONObject
  ) throws(Mismatch) -> JSONValue? {
    if case .variable(let name) = literal {
      if let type, case .nonNull = type, variables[name]?.isNull == true { throw .null(type) }
      return variables[name]
    }
    guard let type else { return try untyped(literal, variables) }
    switch type {
    case .nonNull(let inner):
      if literal == .null { throw .null(type) }
      return try value(literal, as: inner, variables: variables)
    case _ where literal == .null:
      return .null
    case .list(let inner):
      guard case .list(let elements) = literal else {
        return .array([try value(literal, as: inner, variables: variables) ?? .null])
      }
      return .array(
        try elements.map { (element) throws(Mismatch) in
          try value(element, as: inner, variables: variables) ?? .null
        })
    case .named(let name):
      return try value(literal, as: name, variables: variables)
    }
  }

  private func value(
    _ literal: Value, as name: String, variables: JSONObject
  ) throws(Mismatch) -> JSONValue? {
    switch schema?.types[name]?.kind {
    case .inputObject:
      guard case .object(let fields) = literal else {
        throw Mismatch("Expected an object of \"\(name)\".")
      }
      return try object(Dictionary(fields.map { ($0.name, $0.value) }) { $1 }, of: name) {
        (member, type) throws(Mismatch) in try value(member, as: type, variables: variables)
      }
    case .enum:
      guard case .enum(let value) = literal else {
        throw Mismatch("Expected a value of \"\(name)\".")
      }
      return try enumValue(value, of: name)
    case .scalar, nil:
      if case .enum = literal, LocalSchema.builtInScalars.contains(name) {
        throw .scalar(name)
      }
      return try scalar(untyped(literal, variables), as: name)
    case .object, .interface, .union:
      throw Mismatch("\"\(name)\" is no input type.")
    }
  }

  private func object<Member>(
    _ members: [String: Member], of name: String,
    _ coerce: (Member, TypeReference) throws(Mismatch) -> JSONValue?
  ) throws(Mismatch) -> JSONValue {
    let fields = schema?.types[name]?.inputFields ?? []
    for key in members.keys.sorted() where !fields.contains(where: { $0.name == key }) {
      throw Mismatch("Field \"\(key)\" is not defined by type \"\(name)\".")
    }
    var object = JSONObject()
    for field in fields {
      if let member = members[field.name], let value = try coerce(member, field.type) {
        object[field.name] = value
      } else if let standard = field.defaultValue {
        object[field.name] = try value(standard, as: field.type, variables: [:])
      } else if case .nonNull = field.type {
        throw Mismatch(
          "Field \"\(name).\(field.name)\" of required type \"\(field.type.text)\" was not provided."
        )
      }
    }
    return .object(object)
  }

  private func enumValue(_ value: String?, of name: String) throws(Mismatch) -> JSONValue {
    guard let value, schema?.types[name]?.values.contains(value) == true else {
      throw Mismatch("Expected a value of \"\(name)\".")
    }
    return .string(value)
  }

  private func scalar(_ json: JSONValue, as name: String) throws(Mismatch) -> JSONValue {
    let fits: JSONValue? =
      switch name {
      case "Int": json.int32.map { .int($0) }
      case "Float": json.double.map { .double($0) }
      case "String": json.string.map { .string($0) }
      case "Boolean": json.bool.map { .bool($0) }
      case "ID": (json.string ?? json.int.map { String($0) }).map { .string($0) }
      default: json
      }
    guard let fits else { throw .scalar(name) }
    return fits
  }

  private func untyped(_ literal: Value, _ variables: JSONObject) throws(Mismatch) -> JSONValue {
    switch literal {
    case .variable(let name): return variables[name] ?? .null
    case .int(let text):
      if let int = Int64(text) { return .int(int) }
      return .double(Double(text) ?? 0)
    case .float(let text): return .double(Double(text) ?? 0)
    case .string(let string): return .string(string.value)
    case .boolean(let bool): return .bool(bool)
    case .null: return .null
    case .enum(let name): return .string(name)
    case .list(let elements):
      return .array(
        try elements.map { (element) throws(Mismatch) in try untyped(element, variables) })
    case .object(let fields):
      var object = JSONObject()
      for field in fields { object[field.name] = try untyped(field.value, variables) }
      return .object(object)
    }
  }
}

extension InputCoercion.Mismatch {
  fileprivate static func null(_ type: TypeReference) -> Self {
    Self("Expected non-nullable type \"\(type.text)\" not to be null.")
  }

  fileprivate static func scalar(_ name: String) -> Self {
    Self("\(name) cannot represent the given value.")
  }
}

extension TypeReference {
  /// The type as GraphQL writes it.
  var text: String {
    switch self {
    case .named(let name): name
    case .list(let inner): "[\(inner.text)]"
    case .nonNull(let inner): "\(inner.text)!"
    }
  }
}

extension JSONValue {
  /// The value of a number that is an integer of 32 bits, which is what GraphQL's `Int` is.
  var int32: Int64? {
    let value = int ?? double.flatMap { Int64(exactly: $0) }
    return value.flatMap { Int32(exactly: $0) != nil ? $0 : nil }
  }
}
