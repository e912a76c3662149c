import GraphQLLanguage
import GraphQLValidation

/// The operations and fragments of all documents.
struct Documents {
  struct Fragment {
    let definition: FragmentDefinition
    let file: SourceFile
    /// The name of its Swift type.
    let typeName: String
    /// The modules that have the fragment; empty for the one that code is generated for.
    var modules: [GenerationModule] = []
  }

  /// The fragments of this module, and those of others that they and the operations need.
  private(set) var fragments: [String: Fragment] = [:]
  /// The modules that have fragments.
  private(set) var moduleNames: Set<String> = []
  private(set) var findings: [GenerationFinding] = []
  /// The names that generated code uses itself because of the configuration.
  private let reserved: Set<String>

  /// Collects the definitions, and reports names that occur twice.
  init(
    _ files: [SourceFile], _ configuration: GenerationConfiguration,
    imported: ImportedModules
  ) {
    reserved = Self.reserved(configuration)
    var places: [String: (SourceFile, SourceLocation)] = [:]
    for file in files { add(file, namespace: configuration.namespace, &places) }
    add(ImportedFragments(files, imported), imported)
    let tooDeep = tooDeepNesting(in: files)
    findings += tooDeep
    guard tooDeep.isEmpty else { return }
    for file in files { checkImports(in: file) }
    checkNames(in: files, configuration, imported, &places)
    var sizes = SpreadSizes(self, onlyUnmasked: true)
    for file in files {
      findings += file.document.definitions.compactMap { sizes.finding($0, in: file) }
    }
  }

  private mutating func add(
    _ file: SourceFile, namespace: String,
    _ places: inout [String: (SourceFile, SourceLocation)]
  ) {
    for definition in file.document.definitions {
      switch definition {
      case .fragment(let fragment):
        fragments[fragment.name] =
          fragments[fragment.name]
          ?? Fragment(definition: fragment, file: file, typeName: typeName(fragment.name))
      case .operation: break
      default: continue
      }
      guard let name = definition.executableName else {
        findings.append(
          GenerationFinding(
            "An operation needs a name, which becomes the name of its Swift type.", file,
            definition.location))
        continue
      }
      let typeName = typeName(name)
      if typeName == namespace {
        findings.append(
          GenerationFinding(
            "\"\(name)\" is also the namespace of the schema's types. Rename one of them; the "
              + "namespace is set in weir.json.", file, definition.location))
      }
      guard let (other, location) = places[typeName] else {
        places[typeName] = (file, definition.location)
        continue
      }
      findings.append(
        Self.twoDefinitions(
          of: typeName, file, definition.location,
          GenerationFinding("The other one is here.", other, location)))
    }
  }

  private static func twoDefinitions(
    of typeName: String, _ file: SourceFile, _ location: SourceLocation, _ other: GenerationFinding
  ) -> GenerationFinding {
    GenerationFinding(
      "The Swift type \"\(typeName)\" has two definitions. Rename one of them.", file, location,
      related: [other])
  }

  /// Reports names that are also those of what the code uses of other modules: of their fragments,
  /// and of the namespaces with types of the schema.
  private mutating func checkNames(
    in files: [SourceFile], _ configuration: GenerationConfiguration, _ imported: ImportedModules,
    _ places: inout [String: (SourceFile, SourceLocation)]
  ) {
    var seen: Set<String> = []
    for file in files {
      let spreads = file.document.definitions.compactMap(\.selections).flatMap(namedSpreads)
      for spread in spreads where seen.insert(spread.name).inserted {
        guard let fragment = fragments[spread.name], !fragment.modules.isEmpty else { continue }
        // Most fragments are in no finding, which would count the lines of their file.
        let place = {
          GenerationFinding(
            "The other one is here.", fragment.file, fragment.definition.location)
        }
        if fragment.typeName == configuration.namespace {
          findings.append(
            configuration.finding(
              "\"\(fragment.typeName)\" is also a fragment that is used here. Choose another "
                + "namespace: \"namespace\": \"…\".", .namespace, related: [place()]))
        }
        if let (other, location) = places[fragment.typeName] {
          findings.append(Self.twoDefinitions(of: fragment.typeName, other, location, place()))
        }
        places[fragment.typeName] = places[fragment.typeName] ?? (file, spread.location)
      }
    }
    for configuration in imported.sharing.map(\.configuration) {
      guard let (file, location) = places[configuration.namespace] else { continue }
      let place = configuration.finding("The other one is here.", .namespace)
      findings.append(Self.twoDefinitions(of: configuration.namespace, file, location, place))
    }
  }

  /// The names that definitions cannot have; that of the namespace is an error instead.
  private static func reserved(_ configuration: GenerationConfiguration) -> Set<String> {
    Namespace.reserved(configuration).subtracting([configuration.namespace])
  }

  /// Returns the files of another module with those of its fragments only that the documents need.
  func needed(_ files: [SourceFile], of module: GenerationModule) -> [SourceFile] {
    files.map { file in
      let definitions = file.document.definitions.filter {
        guard case .fragment(let fragment) = $0 else { return false }
        return fragments[fragment.name]?.modules.first?.name == module.name
      }
      return SourceFile(
        path: file.path, document: Document(definitions: definitions), text: file.text)
    }
  }

  /// The name of the Swift type for an operation or a fragment of this module.
  func typeName(_ name: String) -> String { SwiftName.definition(name, reserved: reserved) }

  private mutating func add(_ others: ImportedFragments, _ imported: ImportedModules) {
    findings += others.findings
    moduleNames = others.moduleNames
    for (name, fragment) in others.fragments where fragments[name] == nil {
      let reserved = Self.reserved(imported.configuration(of: fragment.modules[0]))
      fragments[name] = Fragment(
        definition: fragment.definition, file: fragment.file,
        typeName: SwiftName.definition(name, reserved: reserved), modules: fragment.modules)
    }
  }

  /// Reports fragments of other modules that the code cannot use.
  private mutating func checkImports(in file: SourceFile) {
    for definition in file.document.definitions {
      guard let selections = definition.selections else { continue }
      for spread in namedSpreads(in: selections) {
        guard let modules = fragments[spread.name]?.modules, let module = modules.first else {
          continue
        }
        let names = modules.map(\.name).joined(separator: " and ")
        let access = module.configuration.access
        if modules.count > 1 {
          findings.append(
            GenerationFinding(
              "The modules \(names) have a fragment \"\(spread.name)\". Rename one of them.", file,
              spread.location))
        } else if access != .public {
          findings.append(
            GenerationFinding(
              "The fragment \"\(spread.name)\" is in the module \(names), whose generated code is "
                + "\(access.rawValue). Add \"access\": \"public\" to its weir.json.", file,
              spread.location))
        }
      }
    }
  }
}

extension Definition {
  var selections: SelectionSet? {
    switch self {
    case .operation(let operation): operation.selectionSet
    case .fragment(let fragment): fragment.selectionSet
    default: nil
    }
  }

  fileprivate var executableName: String? {
    switch self {
    case .operation(let operation): operation.name
    case .fragment(let fragment): fragment.name
    default: nil
    }
  }
}

extension [Directive] {
  /// Whether a response may lack what has these directives.
  var areConditional: Bool {
    contains { $0.isCondition || $0.isKnown(as: .defer) }
  }
}
