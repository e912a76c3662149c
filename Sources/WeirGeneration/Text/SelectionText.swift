import GraphQLLanguage
import GraphQLValidation

/// Writes the Swift types for selection sets.
struct SelectionText {
  let configuration: GenerationConfiguration
  var names: TypeNames

  private var access: String { configuration.access.modifier }

  /// Writes a type; `extra` writes what a fragment has besides.
  mutating func write(
    _ plan: SelectionType, conforming protocolName: String = "SelectionData",
    comment: String? = nil, to output: inout SourceWriter,
    extra: (inout SourceWriter) -> Void = { _ in }
  ) {
    let identifiable = plan.isIdentifiable ? ", Identifiable" : ""
    output.comment(comment)
    output.block("\(access)nonisolated struct \(plan.name): \(protocolName)\(identifiable)") {
      writeProperties(plan, to: &$0)
      writeConditions(plan, to: &$0)
      extra(&$0)
      writeInitializers(plan, to: &$0)
      writeWriter(plan, to: &$0)
      for nested in plan.nested {
        $0.line()
        write(nested, to: &$0)
      }
    }
  }
}

// MARK: - Properties

extension SelectionText {
  private mutating func writeProperties(_ plan: SelectionType, to output: inout SourceWriter) {
    if plan.hasTypename { output.line("\(access)var __typename: String") }
    for member in plan.members {
      if case .field(let field) = member, configuration.documentation {
        output.comment(field.field.description)
        if let reason = field.field.deprecationReason {
          output.comment("Deprecated: \(reason)")
        }
      }
      output.line("\(access)var \(name(member)): \(type(member))")
    }
    for part in plan.abstractParts {
      output.line("\(access)var \(part.property): \(part.type.name)?")
    }
    if !plan.objectParts.isEmpty { output.line("\(access)var on: On") }
  }

  private func writeConditions(_ plan: SelectionType, to output: inout SourceWriter) {
    guard !plan.objectParts.isEmpty else { return }
    let cases = plan.cases
    output.line()
    output.block("\(access)nonisolated enum On: Hashable, Sendable") {
      for part in plan.objectParts {
        $0.line("case \(SwiftName.quoted(cases[part.type.type.name]))(\(part.type.name))")
      }
      $0.line("case other")
    }
    for part in plan.objectParts {
      let name = SwiftName.quoted(cases[part.type.type.name])
      output.line(
        "\(access)var \(part.property): \(part.type.name)? "
          + "{ if case .\(name)(let value) = on { value } else { nil } }")
    }
  }

  private func name(_ member: SelectionType.Member) -> String {
    SwiftName.quoted(member.name)
  }

  private mutating func type(_ member: SelectionType.Member) -> String {
    switch member {
    case .field(let field):
      let leaf =
        switch field.content {
        case .leaf: names.leaf(field.field.type.namedType, isOutput: true)
        case .fragment(let name): name
        case .type(let type): type.name
        }
      return names.nonNull(field.type, of: leaf) + (field.isOptional ? "?" : "")
    case .fragment(let fragment):
      return fragment.typeName + (fragment.condition.isNone ? "" : "?")
    }
  }
}

// MARK: - Initializers

extension SelectionText {
  private mutating func writeInitializers(_ plan: SelectionType, to output: inout SourceWriter) {
    var parameters: [String] = plan.hasTypename ? ["__typename: String"] : []
    var properties: [String] = plan.hasTypename ? ["__typename"] : []
    for member in plan.members {
      let type = type(member)
      parameters.append(
        "\(SwiftName.parameter(member.name)): \(type)\(type.hasSuffix("?") ? " = nil" : "")")
      properties.append(name(member))
    }
    for part in plan.abstractParts {
      parameters.append("\(part.property): \(part.type.name)? = nil")
      properties.append(part.property)
    }
    if !plan.objectParts.isEmpty {
      parameters.append("on: On = .other")
      properties.append("on")
    }
    output.line()
    output.list("\(access)init(", parameters, ") {")
    output.assignments(properties)
    output.line("}")
    writeReader(plan, to: &output)
  }

  private mutating func writeReader(_ plan: SelectionType, to output: inout SourceWriter) {
    var arguments = plan.hasTypename ? ["__typename: typename"] : []
    for member in plan.members {
      switch member {
      case .field(let field):
        arguments.append("\(SwiftName.label(field.property)): \(reading(field, in: plan))")
      case .fragment(let fragment):
        let label = SwiftName.label(fragment.property)
        arguments.append("\(label): \(reading(fragment.condition))")
      }
    }
    for part in plan.abstractParts {
      arguments.append("\(part.property): \(reading(part.condition))")
    }
    if !plan.objectParts.isEmpty {
      let names = plan.cases
      let cases = plan.objectParts.map {
        let name = SwiftName.quoted(names[$0.type.type.name])
        return "\(test($0.condition)) ? .\(name)(fields.part())\n"
      }
      arguments.append("on: \(cases.joined(separator: ": ")): .other")
    }
    let needsTypename = plan.hasTypename || !plan.objectParts.isEmpty
    output.block("\(access)init(reading fields: inout FieldReader) throws") {
      if needsTypename { $0.line("let typename = try fields.typename()") }
      // Without fields, nothing throws, and the compiler would warn.
      let reads = arguments.contains { $0.contains("fields.") }
      $0.list("\(reads ? "try " : "")self.init(", arguments, ")")
    }
  }

  /// The expression that reads a field.
  private func reading(_ field: SelectedField, in plan: SelectionType) -> String {
    let method =
      if !isDirect(field) {
        field.isOptional ? "decodeIfPresent" : "decode"
      } else {
        // Inlined reads are faster, but pay only if there are many.
        plan.mayRepeat || field.type.isList ? "read" : "value"
      }
    let reading = "fields.\(method)(\"\(field.key)\")"
    return field.keys.isEmpty ? reading : "fields.has(\(literal(field.keys))) ? \(reading) : nil"
  }

  /// Whether the run time reads and writes the field without `Codable`.
  private func isDirect(_ field: SelectedField) -> Bool {
    switch (field.content, field.type) {
    case (.leaf, .named(let name)):
      names.schema.types[name]?.kind == .enum || names.scalars.isDirect(name)
    case (.leaf, _): false
    case (_, .named): true
    case (_, .list(.named)), (_, .list(.nonNull(.named))): true
    default: false
    }
  }

  /// The expression that reads a part.
  private mutating func reading(_ condition: Condition) -> String {
    switch condition {
    case .none: return "fields.part()"
    case .keys(let keys): return "fields.part(has: \(literal(keys)))"
    case .object(let name, let keys):
      return keys.isEmpty
        ? "fields.part(on: \"\(name)\")" : "fields.part(on: \"\(name)\", has: \(literal(keys)))"
    case .abstract(let name, let parent, let keys, let isConditional):
      let (types, known) = (names.set(name), names.set(parent))
      return "fields.part(on: \(types), of: \(known), has: \(literal(keys))"
        + (isConditional ? ", isConditional: true)" : ")")
    }
  }

  /// The expression that says whether an object has the type of a part.
  private func test(_ condition: Condition) -> String {
    guard case .object(let name, let keys) = condition else { return "false" }
    let test = "typename == \"\(name)\""
    return keys.isEmpty ? test : "\(test) && fields.has(\(literal(keys)))"
  }

  private func literal(_ keys: [String]) -> String { "\"\(keys.joined(separator: " "))\"" }
}

// MARK: - Writing

extension SelectionText {
  private func writeWriter(_ plan: SelectionType, to output: inout SourceWriter) {
    output.block("\(access)func write(to fields: inout FieldWriter)") {
      if plan.hasTypename {
        $0.line("fields.typename(__typename)")
      } else if plan.writesTypename {
        $0.line("fields.typename(\"\(plan.type.name)\")")
      }
      for member in plan.members {
        switch member {
        case .field(let field): write(field, to: &$0)
        case .fragment(let fragment): $0.line("fields.part(\(own(fragment.property)))")
        }
      }
      for part in plan.abstractParts + plan.objectParts {
        $0.line("fields.part(\(part.property))")
      }
    }
  }

  private func write(_ field: SelectedField, to output: inout SourceWriter) {
    let method = isDirect(field) ? "write" : "encode"
    guard field.isConditional else {
      return output.line("fields.\(method)(\"\(field.key)\", \(own(field.property)))")
    }
    output.line(
      "if let value = self.\(SwiftName.quoted(field.property)) "
        + "{ fields.\(method)(\"\(field.key)\", value) }")
  }

  /// A property, with `self` if a parameter has its name.
  private func own(_ property: String) -> String {
    property == "fields" ? "self.fields" : SwiftName.quoted(property)
  }
}

extension SelectionType {
  /// The types of fields and of type conditions.
  fileprivate var nested: [SelectionType] {
    fields.compactMap { if case .type(let type) = $0.content { type } else { nil } }
      + (abstractParts + objectParts).map(\.type)
  }
}

extension SelectionType.Part {
  fileprivate var property: String { "as" + type.name.dropFirst(2) }
}
