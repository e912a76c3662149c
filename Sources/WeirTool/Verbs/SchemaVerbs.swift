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
        help: "a file or a folder of documents; only changes that concern them count as breaking")
    ]
  ) { (invocation) throws(ToolFailure) in
    let (arguments, environment) = (invocation.arguments, invocation.environment)
    try arguments.expectOperands(2...2, "OLD NEW")
    let old = try Project.schema([arguments.operands[0]], environment)
    let new = try Project.schema([arguments.operands[1]], environment)
    var use: DocumentUse?
    if arguments.has("--documents") {
      use = try environment.use(of: old, in: arguments.all("--documents"))
    }
    let changes = SchemaDiff.changes(from: old, to: new)
    var breaking = 0
    for change in changes {
      let concerns = use.map { $0.contains(change) }
      if change.level == .breaking, concerns ?? true { breaking += 1 }
      environment.write(invocation.isJSON ? change.json(concerns) : change.text(concerns))
    }
    guard breaking > 0 else { return }
    let what = use == nil ? "clients" : "the documents"
    throw ToolFailure(.documents, "\(breaking) of \(changes.count) changes can break \(what).")
  }
}

extension Invocation {
  /// The schema that the operands name; without operands, that of the current folder.
  fileprivate func operandSchema() throws(ToolFailure) -> TypeSystem {
    try Project.schema(arguments.operands.isEmpty ? ["."] : arguments.operands, environment)
  }
}

extension ToolEnvironment {
  /// Reads the documents that paths name, and returns what they use of a schema, by whose rules they
  /// must be valid.
  fileprivate func use(
    of schema: TypeSystem, in paths: [String]
  ) throws(ToolFailure) -> DocumentUse {
    let files = try sources(paths, endings: ["graphql"])
      .map { path throws(ToolFailure) in try SourceFile.read(path) }
    // A folder can have parts of the schema, too, and fragments that only other modules use.
    let options = ValidationOptions(rules: ["executable-definitions": .off], isComplete: false)
    let findings = schema.validate(files, options: options)
    guard findings.isEmpty else {
      throw ToolFailure(.documents, findings.map { GenerationFinding($0) })
    }
    return DocumentUse(files.map(\.document), of: schema)
  }
}
