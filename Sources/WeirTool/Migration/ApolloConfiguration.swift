import GraphQLValidation
import WeirGeneration

/// Reads `apollo-codegen-config.json`, and says what has an equivalent.
struct ApolloConfiguration {
  private let paths: MigratedPaths
  private var settings = MigratedSettings()

  /// Reads the configuration at a path, for a `weir.json` in the folder `root`. Both are whole paths.
  static func read(_ path: String, root: String) throws(ToolFailure) -> MigratedSettings {
    let text = try SourceFolder.read(path)
    let json: LocatedJSON
    do throws(JSONSyntaxError) {
      json = try LocatedJSON(parsing: text)
    } catch {
      throw ToolFailure(.usage, [.at(error.offset, of: text, path, error.message)])
    }
    guard case .object(let members) = json.content, let name = json["schemaNamespace"],
      // Apollo's generated code has it in upper case, too.
      let namespace = name.string.map({ $0.prefix(1).uppercased() + $0.dropFirst() })
    else {
      throw ToolFailure(
        .usage, [.at(json.offset, of: text, path, "Expected an object with \"schemaNamespace\".")])
    }
    if let mistake = MigratedSettings(namespace: namespace).mistake(path) {
      throw ToolFailure(.usage, [.at(name.offset, of: text, path, mistake.message)])
    }
    var migration = ApolloConfiguration(paths: MigratedPaths(file: path, root: root))
    migration.settings.namespace = namespace
    for member in members { migration.migrate(member.key, member.value) }
    migration.addCodeChanges()
    return migration.settings
  }

  private init(paths: MigratedPaths) { self.paths = paths }

  private mutating func remark(_ key: String, _ text: String) {
    settings.remarks.append("\(key): \(text)")
  }

  private mutating func migrate(_ key: String, _ value: LocatedJSON) {
    switch key {
    case "schemaNamespace": break
    case "input": migrateInput(value)
    case "output": migrateOutput(value)
    case "options": migrateOptions(value)
    case "operationManifest": migrateManifest(value["path"]?.string ?? "operations.json")
    case "schemaDownload", "schemaDownloadConfiguration":
      let url = value["downloadMethod"]?["introspection"]?["endpointURL"]?.string ?? "URL"
      remark(
        key, "Run weir schema fetch \(url) -o schema.graphqls. Pass secrets with --header-env.")
    default: remark(key, "There is nothing like it in weir.json; it was left out.")
    }
  }

  private mutating func migrateManifest(_ path: String) {
    if path.hasPrefix("/") || !path.hasSuffix(".json") {
      return remark("operationManifest", "Run weir manifest -o \(path).")
    }
    settings.manifest = paths.relative(path)
    remark("operationManifest", "weir generate and weir manifest write it; the plugin does not.")
  }

  private mutating func migrateInput(_ value: LocatedJSON) {
    guard case .object(let members) = value.content else { return }
    for (key, _, value) in members {
      let paths = (value.elements ?? [value]).compactMap(\.string)
      switch key {
      case "schemaSearchPaths", "schemaPath":
        settings.schema += patterns(paths, "input.\(key)", default: "**/*.graphqls")
      case "operationSearchPaths":
        settings.documents += patterns(paths, "input.\(key)", default: "**/*.graphql")
      default: remark("input.\(key)", "There is nothing like it in weir.json; it was left out.")
      }
    }
  }

  /// The paths as patterns below the folder; none if they are the ones that count without patterns.
  private mutating func patterns(
    _ paths: [String], _ key: String, default pattern: String
  ) -> [String] {
    var patterns: [String] = []
    for path in paths {
      let below = self.paths.below(path)
      if below.isEmpty {
        remark(
          key, "\"\(path)\" is outside of the folder. Copy the file into it, or use a link.")
      }
      patterns += below.filter { !patterns.contains($0) }
    }
    return patterns == [pattern] ? [] : patterns
  }

  private mutating func migrateOutput(_ value: LocatedJSON) {
    let module = value["schemaTypes"]?["moduleType"]
    let modifiers = [
      module?["embeddedInTarget"]?["accessModifier"],
      value["operations"]?["relative"]?["accessModifier"],
      value["operations"]?["absolute"]?["accessModifier"],
    ].compactMap { $0?.string }
    if modifiers.contains("public") || module != nil && module?["embeddedInTarget"] == nil {
      settings.access = "public"
    }
    remark(
      "output",
      "The plugin WeirCodegen writes nothing into your project. To commit generated files, run weir "
        + "generate: they are in Generated beside weir.json. A schema module of its own is a target "
        + "with the access level public.")
    if let mocks = value["testMocks"], mocks["none"] == nil {
      remark(
        "output.testMocks",
        "Generated types have initializers, and LocalServer answers with them: use these in tests.")
    }
  }

  private mutating func migrateOptions(_ value: LocatedJSON) {
    guard case .object(let members) = value.content else { return }
    for (key, _, value) in members {
      switch key {
      case "schemaDocumentation": settings.documentation = value.string != "exclude"
      case "warningsOnDeprecatedUsage":
        remark(
          "options.\(key)",
          "Write \"lint\": {\"deprecated\": \"warning\"}, which is the default, or \"off\".")
      case "conversionStrategies":
        if value["enumCases"]?.string == "none" { settings.casing = "schema" }
        guard value["fieldAccessors"]?.string == "camelCase" else { continue }
        if settings.casing == "schema" {
          remark("options.\(key)", "The casing \"camel\" changes values of enumerations, too.")
        }
        settings.casing = "camel"
      case "selectionSetInitializers":
        remark("options.\(key)", "All generated types have initializers.")
      case "operationDocumentFormat":
        remark("options.\(key)", "Identifiers are in the manifest: see PersistedManifest.")
      default:
        remark("options.\(key)", "There is nothing like it in weir.json; it was left out.")
      }
    }
  }

  /// Adds the changes of code that uses generated types.
  private mutating func addCodeChanges() {
    settings.remarks += [
      "Scalars: name the Swift types of custom scalars in weir.json, for example \"scalars\": "
        + "{\"DateTime\": \"Foundation.Date\"}. Apollo has them in generated files that you edited.",
      "In code: x.fragments.bookRow becomes x.bookRow; .some(value) of GraphQLNullable becomes value; "
        + ".case(.value) of GraphQLEnum becomes .value; fields of a fragment are in its property, or "
        + "select them with ...BookRow @unmask.",
    ]
  }
}

extension GenerationFinding {
  fileprivate static func at(
    _ offset: Int, of text: String, _ path: String, _ message: String
  ) -> GenerationFinding {
    let (line, column) = position(of: offset, in: text)
    return GenerationFinding(message, path: path, line: line, column: column)
  }
}
