import GraphQLValidation

/// The Swift types of scalars.
struct ScalarTypes {
  private let configured: [String: String]

  init(_ configuration: GenerationConfiguration) {
    configured = configuration.scalars
  }

  /// The Swift type of a scalar.
  func type(of name: String) -> String {
    builtIn[name] ?? configured[name] ?? wellKnown[name] ?? "JSONValue"
  }

  /// Whether the type of a custom scalar is known.
  func isKnown(_ name: String) -> Bool {
    builtIn[name] != nil || configured[name] != nil || wellKnown[name] != nil
  }

  /// Whether a `FieldReader` reads the scalar directly, and a `FieldWriter` writes it.
  func isDirect(_ name: String) -> Bool {
    builtIn[name] != nil || ["Swift.String", "String"].contains(configured[name])
  }

  /// Whether an `InputWriter` writes the scalar directly.
  func isInputValue(_ name: String) -> Bool {
    isDirect(name) || Self.inputValues.contains(type(of: name))
  }

  private let builtIn = [
    "Int": "Int", "Float": "Double", "String": "String", "Boolean": "Bool", "ID": "String",
  ]

  private let wellKnown = [
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

  init(_ names: Set<String> = ["Weir"]) { self.names = names }

  /// Notes a module other than the one that code is generated for.
  mutating func `import`(_ module: String?) {
    if let module { names.insert(module) }
  }

  /// Notes the module of a Swift type that is written with one.
  mutating func note(_ type: String) {
    if let dot = type.firstIndex(of: ".") { names.insert(String(type[..<dot])) }
  }
}
