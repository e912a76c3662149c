import GraphQLLanguage

/// Compares a literal with the type of its position. Variables are not looked at.
///
/// The tokens before each part of the literal are counted, because values have no locations.
struct LiteralCheck {
  /// A part of a literal that does not fit.
  struct Problem {
    let message: String
    /// The tokens before the part.
    let tokens: Int
    /// The fields and positions that lead to the part: `.field[0]`.
    let path: String
    let suggestions: [String]
  }

  let schema: TypeSystem
  /// Returns the names of a type that are similar to an unknown one.
  let similar: (_ name: String, _ type: SchemaType, _ candidates: () -> [String]) -> [String]
  let found: (Problem) -> Void

  private func report(
    _ message: String, _ tokens: Int, _ path: String, _ suggestions: [String] = []
  ) {
    found(Problem(message: message, tokens: tokens, path: path, suggestions: suggestions))
  }

  func check(_ value: Value, _ type: TypeReference, _ tokens: inout Int, path: String) {
    if case .variable = value {
      tokens += 2
      return
    }
    switch type {
    case .nonNull(let inner):
      guard value == .null else { return check(value, inner, &tokens, path: path) }
      report(
        "Expected value of non-null type \"\(type.canonicalText)\" not to be null.", tokens, path)
      tokens += 1
    case _ where value == .null:
      tokens += 1
    case .list(let inner):
      // A single value stands for a list of one.
      guard case .list(let elements) = value else {
        return check(value, inner, &tokens, path: path)
      }
      tokens += 1
      for (index, element) in elements.enumerated() {
        check(element, inner, &tokens, path: "\(path)[\(index)]")
      }
      tokens += 1
    case .named(let name):
      let start = tokens
      if let type = schema.types[name] {
        if type.kind == .inputObject {
          checkObject(value, type, start, path: path)
        } else {
          checkLeaf(value, type, start, path: path)
        }
      }
      tokens = start + value.tokenCount
    }
  }
}

// MARK: - Input objects

extension LiteralCheck {
  private func checkObject(_ value: Value, _ type: SchemaType, _ start: Int, path: String) {
    guard case .object(let fields) = value else {
      return report(
        "Expected value of type \"\(type.name)\" to be an object, found: \(value.messageText).",
        start, path)
    }
    // All messages about an object end with its text.
    lazy var text = value.messageText
    for field in type.inputFields
    where field.isRequired && !fields.contains(where: { $0.name == field.name }) {
      report(
        "Expected value of type \"\(type.name)\" to include required field \"\(field.name)\", "
          + "found: \(text).", start, path)
    }
    var tokens = start + 1
    var known: [ObjectField] = []
    for field in fields {
      if let defined = type.inputField(field.name) {
        known.append(field)
        tokens += 2
        check(field.value, defined.type, &tokens, path: "\(path).\(field.name)")
      } else {
        reportUnknown(field, in: text, type, tokens, path)
        tokens += 2 + field.value.tokenCount
      }
    }
    if type.isOneOf, known.count != 1 || known[0].value == .null {
      report(
        "Within OneOf Input Object type \"\(type.name)\", exactly one field must be specified, and "
          + "the value for that field must be non-null.",
        start, known.count == 1 ? "\(path).\(known[0].name)" : path)
    }
  }

  private func reportUnknown(
    _ field: ObjectField, in object: String, _ type: SchemaType, _ tokens: Int, _ path: String
  ) {
    let similar = similar(field.name, type) { type.inputFields.map(\.name) }
    let question = Suggestions.question(similar)
    report(
      "Expected value of type \"\(type.name)\" not to include unknown field \"\(field.name)\""
        + (question.isEmpty ? ", found" : ".\(question) Found") + ": \(object).",
      tokens, path, similar)
  }
}

// MARK: - Leaves

extension LiteralCheck {
  private func checkLeaf(_ value: Value, _ type: SchemaType, _ start: Int, path: String) {
    if type.kind == .enum { return checkEnum(value, type, start, path: path) }
    let problem: String? =
      switch (type.name, value) {
      case ("Int", .int(let text)):
        Int32(text) == nil ? "Int cannot represent non 32-bit signed integer value" : nil
      case ("Int", _): "Int cannot represent non-integer value"
      case ("Float", .int(let text)), ("Float", .float(let text)):
        Double(text)?.isFinite == true ? nil : "Float cannot represent non-finite value"
      case ("Float", _): "Float cannot represent non numeric value"
      case ("String", .string): nil
      case ("String", _): "String cannot represent a non string value"
      case ("Boolean", .boolean): nil
      case ("Boolean", _): "Boolean cannot represent a non boolean value"
      case ("ID", .string), ("ID", .int): nil
      case ("ID", _): "ID cannot represent a non-string and non-integer value"
      default: nil
      }
    if let problem { report("\(problem): \(value.messageText)", start, path) }
  }

  private func checkEnum(_ value: Value, _ type: SchemaType, _ start: Int, path: String) {
    let text = value.messageText
    let message: String
    if case .enum(let name) = value {
      if type.value(name) != nil { return }
      message = "Value \"\(text)\" does not exist in \"\(type.name)\" enum."
    } else {
      message = "Enum \"\(type.name)\" cannot represent non-enum value: \(text)."
    }
    let similar = similar(text, type) { type.values.map(\.name) }
    report(
      message + Suggestions.question(similar, "the enum value "), start, path, similar)
  }
}

extension LiteralCheck {
  /// Creates a check for a rule.
  init<Rule: ValidationRule>(
    _ rule: Rule.Type, _ context: ValidationContext, found: @escaping (Problem) -> Void
  ) {
    self.init(
      schema: context.schema,
      similar: { context.similar(rule, to: $0, in: $1.name, among: $2) }, found: found)
  }
}

extension Value {
  /// The value as messages show it: in one line, and not without end. Differs from `canonicalText`
  /// also in the spaces within braces.
  var messageText: String {
    var text = ""
    write(to: &text)
    return text.utf8.count > Self.messageLimit ? text.beginning(Self.messageLimit) + "…" : text
  }

  fileprivate static let messageLimit = 1_000

  private func write(to text: inout String) {
    if text.utf8.count > Self.messageLimit { return }
    switch self {
    case .list(let elements):
      text += "["
      for (index, element) in elements.enumerated() where text.utf8.count <= Self.messageLimit {
        if index > 0 { text += ", " }
        element.write(to: &text)
      }
      text += "]"
    case .object(let fields):
      text += "{ "
      for (index, field) in fields.enumerated() where text.utf8.count <= Self.messageLimit {
        text += (index > 0 ? ", " : "") + field.name.beginning() + ": "
        field.value.write(to: &text)
      }
      text += " }"
    case .string(let string):
      let beginning = string.value.beginning()
      let isBlock = string.isBlock && !beginning.contains(where: \.isNewline)
      text += Value.string(StringValue(beginning, isBlock: isBlock)).canonicalText
    case .variable(let name): text += "$" + name.beginning()
    case .int(let leaf), .float(let leaf), .enum(let leaf): text += leaf.beginning()
    case .boolean, .null: text += canonicalText
    }
  }
}

extension String {
  /// The first scalars, by default one more than a message shows, so that the message is cut. Many
  /// messages can show the same long text, so none of them copies the whole text. A character can be
  /// as long as the text, so characters are not counted.
  fileprivate func beginning(_ count: Int = Value.messageLimit + 1) -> String {
    utf8.count > count ? String(unicodeScalars.prefix(count)) : self
  }
}
