import GraphQLLanguage
import GraphQLValidation

/// Writes the Swift file with what a normalized cache knows: its configuration, and the names of types
/// and fields, so that the compiler checks further configuration.
struct CacheText {
  let configuration: GenerationConfiguration
  private let schema: TypeSystem
  private var names: TypeNames

  private var access: String { configuration.access.modifier }

  init(_ configuration: GenerationConfiguration, _ names: TypeNames) {
    schema = names.schema
    self.configuration = configuration
    self.names = names
    self.names.modules = UsedModules(["WeirNormalized"])
  }

  /// Returns the text of the file; `known` is the generated schema.
  mutating func file(
    _ use: SchemaUse, _ keys: EntityKeys, _ redirects: FieldRedirects, known: CacheSchema
  ) -> String {
    guard configuration.normalizedCache == true else {
      return FileText("", configuration, names.modules).text
    }
    var output = SourceWriter()
    output.line()
    output.block("extension \(configuration.namespace)") {
      writeConfiguration(keys, redirects, known, to: &$0)
      for (type, fields) in use.composites(of: schema) where !isImported(type) {
        $0.line()
        write(type, fields, to: &$0)
      }
    }
    return FileText(output.text, configuration, names.modules).text
  }

  private func isImported(_ type: SchemaType) -> Bool {
    names.imported.composites[type.name] != nil
  }

  private func writeConfiguration(
    _ keys: EntityKeys, _ redirects: FieldRedirects, _ known: CacheSchema,
    to output: inout SourceWriter
  ) {
    let declared =
      known.objects.compactMap { type in
        keys.key(of: type).map { "configuration.keys[\"\(type.name)\"] = \($0.text)" }
      } + redirects.lines(among: known.typenames)
    output.comment(
      "A configuration of a normalized cache with the schema and the keys of its types.")
    output.block("\(access)nonisolated static var cacheConfiguration: NormalizedCacheConfiguration")
    {
      $0.line("var configuration = NormalizedCacheConfiguration()")
      $0.line("configuration.schema = schema")
      for line in declared { $0.line(line) }
      $0.line("return configuration")
    }
  }
}

// MARK: - Names

extension CacheText {
  private mutating func write(
    _ type: SchemaType, _ fields: [SchemaField], to output: inout SourceWriter
  ) {
    let isEffect = [.mutation, .subscription].contains { schema.rootTypes[$0] == type.name }
    let protocolName = type.kind == .object ? "GeneratedObject" : "GeneratedType"
    let initializer = isEffect ? "MutationName" : "FieldName"
    let properties = fields.map { field in
      let value = isEffect ? argumentsName(field, of: type) : value(field)
      let name =
        isEffect
        ? "MutationName<\(names.namespace.qualified(type.name)).\(value)>"
        : "FieldName<\(names.namespace.qualified(type.name)), \(value)>"
      return (field.name, name)
    }
    output.block("\(access)nonisolated enum \(names.namespace.local(type.name)): \(protocolName)") {
      $0.line("\(access)static var typename: String { \"\(type.name)\" }")
      // Of all fields, so that a name does not depend on which of them are in use.
      writeNames("Fields", properties, initializer, among: type.fields.map(\.name), to: &$0)
      guard isEffect else { return }
      for field in fields {
        let names = field.arguments.map(\.name)
        writeNames(
          argumentsName(field, of: type), names.map { ($0, "ArgumentName") }, "ArgumentName",
          among: names, to: &$0)
      }
    }
  }

  /// Writes a structure with a property for each name: its name and its type, whose initializer no
  /// property can hide.
  private func writeNames(
    _ name: String, _ properties: [(String, String)], _ initializer: String, among all: [String],
    to output: inout SourceWriter
  ) {
    let distinct = DistinctNames(
      all, reserved: SwiftName.reservedProperties.union([initializer]),
      configuration.casing.property)
    output.block("\(access)nonisolated struct \(name): GeneratedNames") {
      for (name, type) in properties {
        let property = SwiftName.quoted(distinct[name])
        $0.line("\(access)var \(property): \(type) { \(initializer)(\"\(name)\") }")
      }
      $0.line("\(access)init() {}")
    }
  }

  /// The name of the structure with the arguments of a field.
  private func argumentsName(_ field: SchemaField, of type: SchemaType) -> String {
    let casing = configuration.casing
    let name = SwiftName.firstUpper(casing.property(field.name))
    // All fields count, as for the names of properties.
    let isUnique =
      type.fields.count { SwiftName.firstUpper(casing.property($0.name)) == name } == 1
    return "\(isUnique ? name : field.name)Arguments"
  }

  /// The Swift type of a field's values.
  private mutating func value(_ field: SchemaField) -> String {
    let name = field.type.namedType
    let isComposite = schema.types[name]?.isComposite == true
    return names.type(
      field.type, of: isComposite ? names.composite(name) : names.leaf(name, isOutput: true))
  }
}

extension GenerationConfiguration.Key {
  fileprivate var text: String {
    switch self {
    case .embedded: ".embedded"
    case .fields(let names) where names.count == 1: ".field(\"\(names[0])\")"
    case .fields(let names): ".fields([\(names.map { "\"\($0)\"" }.joined(separator: ", "))])"
    }
  }
}
