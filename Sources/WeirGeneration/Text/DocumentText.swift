import GraphQLLanguage
import GraphQLValidation

/// Writes the Swift file for one document.
struct DocumentText {
  let schema: TypeSystem
  let documents: Documents
  let configuration: GenerationConfiguration
  private(set) var names: TypeNames
  private(set) var findings: [GenerationFinding] = []
  /// The fields that are selected, by the types that they are selected from.
  private(set) var selected: [String: Set<String>] = [:]

  /// The names that no nested type can have.
  private let reserved: Set<String>
  /// The namespaces that code names, which no property can hide.
  private let namespaces: Set<String>

  init(_ documents: Documents, _ configuration: GenerationConfiguration, _ names: TypeNames) {
    schema = names.schema
    self.documents = documents
    self.configuration = configuration
    self.names = names
    let imported = names.imported.types.values
    namespaces = Set(imported.lazy.map(\.name)).union([configuration.namespace])
    reserved = Namespace.reserved(configuration).union(namespaces)
      .union(documents.moduleNames)
      .union(imported.lazy.compactMap(\.module))
  }

  /// Returns the text of the Swift file.
  mutating func write(_ source: SourceFile) -> String {
    let file = NumberedFile(source)
    var output = SourceWriter()
    for definition in source.document.definitions {
      switch definition {
      case .operation(let operation) where operation.name != nil:
        output.line()
        write(operation, file, to: &output)
      case .fragment(let fragment):
        output.line()
        write(fragment, file, to: &output)
      default: break
      }
    }
    return FileText(output.text, from: source.path, configuration, names.modules).text
  }

  private mutating func write(
    _ operation: OperationDefinition, _ file: NumberedFile, to output: inout SourceWriter
  ) {
    guard let root = schema.rootType(operation.kind) else { return }
    let data = plan("Data", operation.selectionSet, on: root, .root, file, isOperation: true)
    let variables = VariableText(
      operation.variableDefinitions, &names, configuration,
      reserved: namespaces.union(namesInDocument(operation.selectionSet)))
    let access = configuration.access.modifier
    let name = documents.typeName(operation.name ?? "")
    if configuration.documentation {
      output.comment(file.file.documentation(operation.description, at: operation.location))
    }
    output.block("\(access)nonisolated struct \(name): \(operation.kind.protocolName)") {
      variables.writeProperties(to: &$0)
      if !variables.variables.isEmpty { $0.line() }
      variables.writeInitializers(to: &$0)
      $0.line()
      writeDocument(.operation(operation), to: &$0)
      if !variables.variables.isEmpty {
        $0.line()
        variables.writeWriter("variables", to: &$0)
      }
      $0.line()
      var text = SelectionText(configuration: configuration, names: names)
      text.write(data, to: &$0)
      names = text.names
    }
  }

  private mutating func write(
    _ fragment: FragmentDefinition, _ file: NumberedFile, to output: inout SourceWriter
  ) {
    guard let type = schema.types[fragment.typeCondition] else { return }
    let isRoot = schema.rootTypes.values.contains(type.name)
    let plan = plan(
      documents.typeName(fragment.name), fragment.selectionSet, on: type,
      isRoot ? .root : .object, file, isOperation: false,
      reserved: namesInDocument(fragment.selectionSet))
    var text = SelectionText(configuration: configuration, names: names)
    text.write(
      plan, conforming: "FragmentData",
      comment: configuration.documentation
        ? file.file.documentation(fragment.description, at: fragment.location) : nil, to: &output
    ) {
      $0.line()
      writeDocument(.fragment(fragment), to: &$0)
    }
    names = text.names
  }

  private mutating func plan(
    _ name: String, _ selections: SelectionSet, on type: SchemaType, _ role: SelectionType.Role,
    _ file: NumberedFile, isOperation: Bool, reserved properties: Set<String> = []
  ) -> SelectionType {
    let spreads = documents.namedSpreads(in: selections)
    for spread in spreads {
      guard let fragment = documents.fragments[spread.name] else { continue }
      // No property has the type of an unmasked fragment; only the document names it.
      names.modules.import(
        "struct", fragment.typeName, of: fragment.modules.first?.name,
        onlyInBodies: spread.isUnmasked)
    }
    // Only the document names an unmasked fragment. That of an operation is outside of `Data`, whose types
    // cannot hide it.
    let named = isOperation ? spreads.filter { !$0.isUnmasked } : spreads
    let fragments = named.compactMap { documents.fragments[$0.name] }
    var planner = SelectionPlanner(
      schema, documents, file, reservedTypes: reserved, namespaces: namespaces, spreads: fragments,
      casing: configuration.casing)
    let plan = planner.plan(
      name, [.init(selections: selections, isConditional: false)], on: type, as: role,
      mayRepeat: !isOperation, reservedProperties: properties)
    findings += planner.findings
    selected.merge(planner.selected) { $0.union($1) }
    return plan
  }

  /// The Swift types of the fragments that a text spreads itself, each once.
  private func spreads(in selections: SelectionSet) -> [String] {
    var seen: Set<String> = []
    return Documents.spreads(in: selections).map(\.name).filter { seen.insert($0).inserted }
      .compactMap { documents.fragments[$0]?.typeName }
  }

  /// The types that the property `document` names, which no property beside it can hide.
  private func namesInDocument(_ selections: SelectionSet) -> Set<String> {
    Set(spreads(in: selections) + ["GraphQLDocument"])
  }

  private func writeDocument(_ definition: Definition, to output: inout SourceWriter) {
    let text = definition.asSent(in: schema).minifiedText
    var arguments = [text.swiftLiteral]
    let fragments = spreads(in: definition.selections ?? []).map { "\($0).document" }
    if !fragments.isEmpty {
      arguments.append("fragments: [\(fragments.joined(separator: ", "))]")
    }
    // By default, Weir refuses a text of more than 15,000 tokens, which a shorter one cannot have.
    if text.utf8.count > 15_000 { arguments.append("maximumTokens: nil") }
    output.list(
      "\(configuration.access.modifier)static let document = GraphQLDocument(", arguments, ")")
  }
}

/// A generated file: the lines at its beginning, and declarations.
struct FileText {
  let text: String

  private static let (start, end) = ("// @generated from ", " by weir. Do not edit.")

  /// Whether a file begins with a header, so that its contents may be replaced.
  static func isGenerated(_ contents: some Collection<UInt8>) -> Bool {
    let line = String(decoding: contents.prefix { $0 != 0x0a }.prefix(1_000), as: UTF8.self)
    return line.hasPrefix(start) && line.hasSuffix(end)
  }

  /// Makes the text of a file. One without declarations imports nothing: a public import that is not
  /// used is a warning. So is a package import for conformances only, unlike a public one;
  /// `onlyConforms` says that the declarations have no other use of the modules.
  init(
    _ declarations: String, from source: String = "", _ configuration: GenerationConfiguration,
    _ modules: UsedModules, onlyConforms: Bool = false
  ) {
    // Without the folders, so that the text does not depend on where the package lies.
    // A line break in it would end the comment.
    let name = source.split(separator: "/").last.map { String($0).visibleText } ?? "the schema"
    let all =
      declarations.isEmpty
      ? [] : modules.names.union(modules.namesInBodies).union(configuration.imports)
    let access =
      onlyConforms && configuration.access == .package
      ? "internal " : configuration.access.modifier
    let modifier = { (module: String) in
      let isUsed =
        modules.names.contains(module)
        || modules.mayUseConfigured && configuration.imports.contains(module)
      return isUsed || access.isEmpty ? access : "internal "
    }
    // The compiler wants one access level for all imports of a module.
    let imports =
      all.sorted().map { "\(modifier($0))import \($0)\n" }
      + modules.declarations.filter { all.contains($1) }.sorted { $0.key < $1.key }
      .map { "\(modifier($1))import \($0)\n" }
    text =
      "\(Self.start)\(name)\(Self.end)\n// swift-format-ignore-file\n"
      + imports.joined() + declarations
  }
}

extension OperationKind {
  fileprivate var protocolName: String {
    switch self {
    case .query: "GeneratedQuery"
    case .mutation: "GeneratedMutation"
    case .subscription: "GeneratedSubscription"
    }
  }
}
