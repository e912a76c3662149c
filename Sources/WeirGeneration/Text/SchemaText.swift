import GraphQLLanguage
import GraphQLValidation

/// Writes the Swift files for the types of the schema that documents use.
struct SchemaText {
  let configuration: GenerationConfiguration
  private let schema: TypeSystem
  private var names: TypeNames
  private let cycles: InputCycles

  private var access: String { configuration.access.modifier }
  private var namespace: String { configuration.namespace }

  init(_ configuration: GenerationConfiguration, _ names: TypeNames) {
    schema = names.schema
    self.configuration = configuration
    self.names = names
    cycles = InputCycles(schema)
  }

  /// The file with the namespace, the possible types of interfaces and unions, and the text of the
  /// types for caches.
  func schemaFile(_ types: [SchemaType], _ sdl: String) -> String {
    var output = SourceWriter()
    output.line()
    output.comment("The types of the schema that documents use.")
    output.block("\(access)nonisolated enum \(namespace)") {
      $0.comment("What caches know about these types; pass it to their configurations.")
      $0.line("\(access)static let schema = GraphQLSchema(generated: \(sdl.swiftLiteral))")
      let abstract = types.filter(\.isComposite)
      guard !abstract.isEmpty else { return }
      $0.line()
      $0.comment("The object types that interfaces and unions stand for.")
      $0.block("\(access)nonisolated enum Types") {
        for type in abstract {
          let possible = schema.possibleTypes(of: type.name).sorted().joined(separator: " ")
          let name = names.namespace.set(type.name)
          $0.line("\(access)static let \(name) = TypeSet(\"\(possible)\")")
        }
      }
    }
    return FileText(output.text, configuration, UsedModules()).text
  }

  /// The file with the enumerations.
  func enumFile(_ types: [SchemaType]) -> String {
    var output = SourceWriter()
    for type in types where type.kind == .enum {
      output.line()
      output.block("extension \(namespace)") { write(enumeration: type, to: &$0) }
    }
    return FileText(output.text, configuration, UsedModules(), onlyConforms: true).text
  }

  /// The file with the input objects.
  mutating func inputFile(_ types: [SchemaType]) -> String {
    var output = SourceWriter()
    for type in types where type.kind == .inputObject {
      output.line()
      output.block("extension \(namespace)") {
        if type.isOneOf { write(oneOf: type, to: &$0) } else { write(input: type, to: &$0) }
      }
    }
    return FileText(output.text, configuration, names.modules).text
  }
}

// MARK: - Enumerations

extension SchemaText {
  private func write(enumeration type: SchemaType, to output: inout SourceWriter) {
    let distinct = DistinctNames.values(type.values.map(\.name), configuration.casing)
    let cases = type.values.map { SwiftName.quoted(distinct[$0.name]) }
    comment(type, to: &output)
    output.block("\(access)nonisolated enum \(names.namespace.local(type.name)): GraphQLEnum") {
      for (value, name) in zip(type.values, cases) {
        comment(value, to: &$0)
        $0.line("case \(name)")
      }
      $0.comment("A value that the schema did not have when this was generated.")
      $0.line("case unrecognized(String)")
      $0.line()
      $0.list(
        "\(access)static let allCases: [Self] = [",
        cases.map { ".\($0)" }, "]"
      )
      $0.block("\(access)init(rawValue: String)") {
        $0.line("switch rawValue {")
        for (value, name) in zip(type.values, cases) {
          $0.line("case \"\(value.name)\": self = .\(name)")
        }
        $0.line("default: self = .unrecognized(rawValue)")
        $0.line("}")
      }
      $0.block("\(access)var rawValue: String") {
        $0.line("switch self {")
        for (value, name) in zip(type.values, cases) {
          $0.line("case .\(name): \"\(value.name)\"")
        }
        $0.line("case .unrecognized(let value): value")
        $0.line("}")
      }
    }
  }

  private func comment(_ element: some SchemaElement, to output: inout SourceWriter) {
    guard configuration.documentation else { return }
    output.comment(element.description)
    if let reason = element.deprecationReason { output.comment("Deprecated: \(reason)") }
  }
}

// MARK: - Input objects

extension SchemaText {
  private mutating func write(input type: SchemaType, to output: inout SourceWriter) {
    let variables = VariableText(type.inputFields.map(\.definition), &names, configuration) {
      cycles.isCyclic($0, of: type)
    }
    comment(type, to: &output)
    output.block("\(access)nonisolated struct \(names.namespace.local(type.name)): InputObject") {
      variables.writeProperties(to: &$0)
      $0.line()
      variables.writeInitializers(to: &$0)
      $0.line()
      variables.writeWriter("fields", to: &$0)
    }
  }

  private mutating func write(oneOf type: SchemaType, to output: inout SourceWriter) {
    let fields = type.inputFields
    let distinct = DistinctNames.cases(fields.map(\.name), configuration.casing)
    let cases = fields.map { SwiftName.quoted(distinct[$0.name]) }
    var isRecursive = false
    var leaves: [String] = []
    for field in fields {
      if cycles.isCyclic(field.definition, of: type) { isRecursive = true }
      leaves.append(names.nonNull(field.type, of: names.leaf(field.type.namedType)))
    }
    comment(type, to: &output)
    output.comment("Exactly one of its fields.")
    let header = "\(access)\(isRecursive ? "indirect " : "")nonisolated enum"
    output.block("\(header) \(names.namespace.local(type.name)): InputObject") {
      for (index, field) in fields.enumerated() {
        comment(field, to: &$0)
        $0.line("case \(cases[index])(\(leaves[index]))")
      }
      $0.line()
      $0.block("\(access)func write(to fields: inout InputWriter)") {
        $0.line("switch self {")
        for (field, name) in zip(fields, cases) {
          let method = names.isInputValue(field.type.namedType) ? "write" : "encode"
          $0.line("case .\(name)(let value): fields.\(method)(\"\(field.name)\", value)")
        }
        $0.line("}")
      }
    }
  }
}
