import GraphQLValidation

/// The Swift types of scalars.
struct ScalarTypes {
  private let configured: [String: String]
  private let builtIn: [String: String]

  init(_ configuration: GenerationConfiguration) {
    configured = configuration.scalars
    builtIn = Self.builtIn.merging(["ID": configuration.ids ?? "String"]) { $1 }
  }

  /// The scalars that every schema has.
  static let builtIn = [
    "Int": "Int", "Float": "Double", "String": "String", "Boolean": "Bool", "ID": "String",
  ]

  /// The Swift type of a scalar.
  func type(of name: String) -> String {
    builtIn[name] ?? configured[name] ?? Self.wellKnown[name] ?? "JSONValue"
  }

  /// The Swift type of a scalar in data. Files are sent only; whatever a server answers is JSON.
  func outputType(of name: String) -> String {
    let type = type(of: name)
    return type == "Weir.Upload" ? "JSONValue" : type
  }

  /// Whether the type of a custom scalar is known.
  func isKnown(_ name: String) -> Bool {
    builtIn[name] != nil || configured[name] != nil || Self.wellKnown[name] != nil
  }

  /// Whether a `FieldReader` reads the scalar directly, and a `FieldWriter` writes it.
  func isDirect(_ name: String) -> Bool {
    let type = type(of: name)
    return type == "String" || type == "Swift.String" || name != "ID" && builtIn[name] != nil
  }

  /// Whether an `InputWriter` writes the scalar directly.
  func isInputValue(_ name: String) -> Bool {
    isDirect(name) || Self.inputValues.contains(type(of: name))
  }

  private static let wellKnown = [
    "DateTime": "Foundation.Date", "ISO8601DateTime": "Foundation.Date", "URI": "Foundation.URL",
    "URL": "Foundation.URL", "UUID": "Foundation.UUID", "JSON": "JSONValue",
    "Upload": "Weir.Upload",
  ]

  private static let inputValues: Set<String> = [
    "Foundation.Date", "Foundation.URL", "Foundation.UUID", "JSONValue", "Weir.JSONValue",
    "Weir.Upload",
  ]
}

/// The modules that a generated file imports.
struct UsedModules {
  private(set) var names: Set<String>
  /// Modules that only bodies and initial values name: a public import of them is not used.
  private(set) var namesInBodies: Set<String> = []
  /// The declarations that code names without their modules, as imports name them, with the modules. An
  /// import of its own makes a name mean this declaration, even if Weir or Foundation has one, too.
  private(set) var declarations: [String: String] = [:]
  /// Whether a type is named without its module, which may be one that the configuration imports.
  private(set) var mayUseConfigured = false

  init(_ names: Set<String> = ["Weir"]) { self.names = names }

  /// Notes a declaration of a module other than the one that code is generated for.
  mutating func `import`(
    _ kind: String, _ name: String, of module: String?, onlyInBodies: Bool = false
  ) {
    guard let module else { return }
    if onlyInBodies { namesInBodies.insert(module) } else { names.insert(module) }
    declarations["\(kind) \(module).\(name)"] = module
  }

  /// Notes the module of a Swift type.
  mutating func note(_ type: String) {
    if let dot = type.firstIndex(of: ".") {
      names.insert(String(type[..<dot]))
    } else if Self.isUnknown(of: type) {
      mayUseConfigured = true
    }
  }

  /// Whether the module of a type is unknown: the name does not say it, and it is none of Swift's own,
  /// such as `Int64`.
  static func isUnknown(of type: String) -> Bool {
    !type.contains(".") && !GenerationConfiguration.swiftNumbers.contains(type)
      && !["JSONValue", "String"].contains(type)
  }
}
