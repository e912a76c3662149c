import GraphQLLanguage
import GraphQLValidation
import WeirGeneration

extension Verb {
  private static let schemaOperands = "[FILE or DIR…]"

  static let schemaPrint = Verb(
    name: "schema print",
    summary: "Writes a schema in one file, sorted; also that of an introspection result.",
    operands: schemaOperands,
    options: [Option(name: "-o", value: "FILE", help: "the file for the schema")]
  ) { (invocation) throws(ToolFailure) in
    try invocation.output(invocation.operandSchema().document.canonicalText)
  }

  static let schemaCheck = Verb(
    name: "schema check", summary: "Checks a schema by the rules of the specification.",
    operands: schemaOperands, options: []
  ) { (invocation) throws(ToolFailure) in
    let findings = try invocation.operandSchema().validate(strict: true)
    if !findings.isEmpty {
      throw ToolFailure(.documents, findings.map { GenerationFinding($0) })
    }
  }

  static let schemaDiff = Verb(
    name: "schema diff",
    summary: "Lists how a schema differs from an older one, and fails if that breaks clients.",
    operands: "OLD NEW",
    options: [
      Option(
        name: "--documents", value: "PATH", isRepeatable: true,
        help: "a file or a folder of documents, with all fragments that they spread; only changes "
          + "that concern them count as breaking")
    ]
  ) { (invocation) throws(ToolFailure) in
    let (arguments, environment) = (invocation.arguments, invocation.environment)
    try arguments.expectOperands(2...2, "OLD NEW")
    let old = try Project.schema([arguments.operands[0]], environment)
    let new = try Project.schema([arguments.operands[1]], environment)
    var documents: DiffedDocuments?
    if arguments.has("--documents") {
      documents = try DiffedDocuments(arguments.all("--documents"), old, environment)
    }
    let changes = SchemaDiff.changes(from: old, to: new)
    var breaking = 0
    for change in changes {
      let concerns = documents.map { $0.use.contains(change) }
      if change.level == .breaking, concerns ?? true { breaking += 1 }
      environment.write(invocation.isJSON ? change.json(concerns) : change.text(concerns))
    }
    let errors = documents?.errors(in: new) ?? []
    guard breaking > 0 || !errors.isEmpty else { return }
    let summary =
      breaking == 0
      ? "The documents are not valid by the newer schema."
      : "\(breaking) of \(changes.count) changes can break "
        + (documents == nil ? "clients." : "the documents.")
    throw ToolFailure(.documents, errors + [GenerationFinding(summary, path: "")])
  }
}

/// The documents that a comparison of schemas is about.
private struct DiffedDocuments {
  let use: DocumentUse
  private let files: [SourceFile]

  /// A folder can have parts of the schema, too, and fragments that only other modules use.
  private static let options = ValidationOptions(
    rules: ["executable-definitions": .off, "fragments-must-be-used": .off])

  /// Reads the documents that paths name, which must be valid by the older schema.
  init(
    _ paths: [String], _ old: TypeSystem, _ environment: ToolEnvironment
  ) throws(ToolFailure) {
    files = try environment.sources(paths, endings: ["graphql"])
      .map { path throws(ToolFailure) in try SourceFile.read(path) }
    let findings = old.validate(files, options: Self.options)
    guard findings.isEmpty else {
      throw ToolFailure(.documents, findings.map { GenerationFinding($0) })
    }
    use = DocumentUse(files.map(\.document), of: old)
  }

  /// The errors by the newer schema. Some come from several changes together, or from one whose place no
  /// document names, such as a member of a union that an interface selects.
  func errors(in new: TypeSystem) -> [GenerationFinding] {
    new.validate(files, options: Self.options).map { GenerationFinding($0) }
  }
}

extension Invocation {
  /// The schema that the operands name; without operands, that of the current folder.
  fileprivate func operandSchema() throws(ToolFailure) -> TypeSystem {
    try Project.schema(arguments.operands.isEmpty ? ["."] : arguments.operands, environment)
  }
}
