/// Swift names for names of GraphQL.
enum SwiftName {
  /// Returns a name that may be a keyword, in quotes if it is one.
  static func quoted(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

  /// Returns the name of a property as a parameter, where most keywords need no quotes.
  static func parameter(_ name: String) -> String {
    ["let", "var"].contains(name) ? "`\(name)`" : label(name)
  }

  /// Returns the name of a property as the label of an argument in a call.
  static func label(_ name: String) -> String { name == "inout" ? "`\(name)`" : name }

  /// Returns the name of the type for an operation or a fragment; `reserved` are the names that the
  /// configuration brings into generated code.
  static func definition(_ name: String, reserved: Set<String>) -> String {
    let name = firstUpper(name)
    return reserved.contains(name) || reservedDefinitions.contains(name) ? "\(name)_" : name
  }

  static func firstUpper(_ name: String) -> String {
    name.prefix(1).uppercased() + name.dropFirst()
  }
  static func firstLower(_ name: String) -> String {
    name.prefix(1).lowercased() + name.dropFirst()
  }

  /// Returns the name of a value of an enumeration in camel case: `SELF_HELP` becomes `selfHelp`.
  static func camel(_ value: String) -> String {
    let words = value.split(separator: "_")
    guard let first = words.first else { return value }
    guard !value.contains(where: \.isLowercase) else {
      if first.first?.isNumber == true { return value }
      return firstLower(String(first)) + words.dropFirst().map { firstUpper(String($0)) }.joined()
    }
    let rest = words.dropFirst().map { firstUpper($0.lowercased()) }.joined()
    // `_1` keeps what makes it a name.
    return (first.first?.isNumber == true ? "_" : "") + first.lowercased() + rest
  }

  /// Returns the name of a field in camel case: `created_at` becomes `createdAt`. Underscores at its
  /// beginning stay, and so does `bodyHTML`.
  static func camelProperty(_ name: String) -> String {
    let start = name.prefix { $0 == "_" }
    let rest = String(name.dropFirst(start.count))
    let isPlain = !rest.contains("_") && rest.contains(where: \.isLowercase)
    guard !isPlain, rest.first?.isLetter == true else { return name }
    return start + camel(rest)
  }

  /// Types that generated code names without a module, and words that are none in `[some]`.
  static let reservedTypes: Set<String> = [
    "Any", "Array", "Bool", "Box", "CaseIterable", "Double", "FieldReader", "FieldWriter",
    "FragmentData", "GeneratedMutation", "GeneratedQuery", "GeneratedSubscription",
    "GraphQLDocument",
    "GraphQLEnum", "Hashable", "Identifiable", "Input", "InputObject", "InputWriter", "Int",
    "JSONValue", "On", "Optional", "Protocol", "SelectionData", "Self", "Sendable", "String",
    "Swift",
    "Type", "TypeSet", "Weir", "_", "any", "each", "some",
  ]

  /// Types that the code for the schema and for caches names without a module.
  static let reservedSchemaTypes: Set<String> = [
    "ArgumentName", "FieldName", "GeneratedNames", "GeneratedObject", "GeneratedType",
    "GraphQLSchema", "MutationName", "NormalizedCacheConfiguration",
  ]

  /// The names that no type of an operation or a fragment can have: `Data` and `ID` mean another type
  /// within such types.
  static let reservedDefinitions = reservedTypes.union(reservedSchemaTypes).union(["Data", "ID"])

  /// `Data` is the name of a type in each operation.
  static let reservedProperties: Set<String> = [
    "Data", "hashValue", "self", "Self", "Type", "Protocol", "_",
  ]

  /// A variable or a field of an input object would hide the types that its code makes.
  static let reservedVariables = reservedProperties.union(["Box", "Input"])

  static let reservedCases: Set<String> = [
    "allCases", "init", "rawValue", "self", "some", "none", "Type", "Protocol", "Self",
    "unrecognized", "hash", "hashValue", "write", "_",
  ]

  private static let keywords: Set<String> = [
    "Any", "Protocol", "Self", "Type", "as", "associatedtype", "async", "await", "break", "case",
    "catch", "class", "continue", "default", "defer", "deinit", "do", "else", "enum", "extension",
    "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "init",
    "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol",
    "public", "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super",
    "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
  ]
}
