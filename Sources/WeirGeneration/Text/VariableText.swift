import GraphQLLanguage
import GraphQLValidation

/// Writes the stored properties, the initializers and the writer of variables, or of the fields of an
/// input object.
struct VariableText {
  /// A variable or an input field.
  struct Variable {
    let name: String
    /// The Swift type of a value: not optional.
    let type: String
    let isRequired: Bool
    /// Whether the value is in a `Box`, because its type contains itself.
    let isBoxed: Bool
    let isInputValue: Bool
    let description: String?
    /// The name in Swift, without quotes.
    let swiftName: String

    var property: String { SwiftName.quoted(swiftName) }
    var label: String { SwiftName.label(swiftName) }
    var parameter: String { SwiftName.parameter(swiftName) }
    var stored: String { isRequired ? type : "Input<\(isBoxed ? "Box<\(type)>" : type)>" }
  }

  let variables: [Variable]
  let access: String

  func writeProperties(to output: inout SourceWriter) {
    for variable in variables {
      output.comment(variable.description)
      output.line("\(access)var \(variable.property): \(variable.stored)")
    }
  }

  /// Writes an initializer with plain optionals, and one with all three states.
  func writeInitializers(to output: inout SourceWriter) {
    if variables.isEmpty { return output.line("\(access)init() {}") }
    if variables.contains(where: { !$0.isRequired }) {
      output.list(
        "\(access)init(",
        variables.map { "\($0.parameter): \($0.type)\($0.isRequired ? "" : "? = nil")" }, ") {")
      output.indented {
        $0.list("self.init(", variables.map { "\($0.label): \(wrapped($0))" }, ")")
      }
      output.line("}")
      output.line("@_disfavoredOverload")
    }
    output.list(
      "\(access)init(",
      variables.map { "\($0.parameter): \($0.stored)\($0.isRequired ? "" : " = .absent")" }, ") {")
    output.assignments(variables.map(\.property))
    output.line("}")
  }

  private func wrapped(_ variable: Variable) -> String {
    if variable.isRequired { return variable.property }
    return variable.isBoxed
      ? "Input(\(variable.property).map(Box.init))" : "Input(\(variable.property))"
  }

  /// Writes the writer, with the names in the order of their bytes.
  func writeWriter(_ parameter: String, to output: inout SourceWriter) {
    let sorted = variables.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    output.block("\(access)func write(to \(parameter): inout InputWriter)") {
      for variable in sorted {
        let own = variable.swiftName == parameter ? "self.\(parameter)" : variable.property
        $0.line("\(parameter).\(method(variable))(\"\(variable.name)\", \(own))")
      }
    }
  }

  private func method(_ variable: Variable) -> String {
    variable.isInputValue ? "write" : "encode"
  }
}

extension VariableText {
  init(
    _ definitions: [InputValueDefinition], _ names: inout TypeNames,
    _ configuration: GenerationConfiguration, reserved: Set<String> = [],
    isBoxed: (InputValueDefinition) -> Bool = { _ in false }
  ) {
    access = configuration.access.modifier
    let properties = DistinctNames.properties(
      definitions.map(\.name), configuration.casing, reserved: reserved)
    variables = definitions.map { definition in
      let name = definition.type.namedType
      return Variable(
        name: definition.name, type: names.nonNull(definition.type, of: names.leaf(name)),
        isRequired: definition.type.isNonNull && definition.defaultValue == nil,
        isBoxed: isBoxed(definition), isInputValue: names.isInputValue(name),
        description: configuration.documentation ? definition.description?.value : nil,
        swiftName: properties[definition.name])
    }
  }
}

extension TypeNames {
  /// Whether an `InputWriter` writes values of a type without an encoder.
  func isInputValue(_ name: String) -> Bool {
    schema.types[name]?.kind != .scalar || scalars.isInputValue(name)
  }
}
