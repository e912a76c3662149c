import GraphQLLanguage

/// An operation without a name is the only operation (section 5.2.3.1).
enum LoneAnonymousOperation: ValidationRule {
  static let name = "lone-anonymous-operation"

  static func check(_ context: DocumentContext) {
    let operations = context.definitions.filter { $0.operation != nil }
    guard operations.count > 1 else { return }
    for definition in operations where definition.operation?.name == nil {
      context.report(
        Self.self, "This anonymous operation must be the only defined operation.",
        at: definition.place)
    }
  }
}
