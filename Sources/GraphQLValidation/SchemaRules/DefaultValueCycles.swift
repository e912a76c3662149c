import GraphQLLanguage

/// The default value of a field of an input object does not contain itself (section 3.10,
/// "InputObjectDefaultValueHasCycle").
enum DefaultValueCycles: ValidationRule {
  static let name = "default-value-cycles"

  static func check(_ context: ValidationContext) {
    var search = DefaultValueCycleSearch(context: context)
    for name in context.schema.typeNames {
      if let type = context.schema.types[name], type.kind == .inputObject {
        search.visit(type, .object([]))
      }
    }
  }
}

/// Follows default values through the fields that they leave out. Each type and each nested value adds to
/// the depth, which has a limit.
private struct DefaultValueCycleSearch {
  /// The number of nested visits that fit any stack.
  private static let depthLimit = 250

  let context: ValidationContext
  private var depth = 0
  private var visited: Set<String> = []
  private var path: [(coordinate: String, place: SourcePlace)] = []
  private var positions: [String: Int] = [:]

  init(context: ValidationContext) {
    self.context = context
  }

  mutating func visit(_ type: SchemaType, _ value: Value) {
    guard depth < Self.depthLimit else { return }
    depth += 1
    defer { depth -= 1 }
    if case .list(let elements) = value {
      for element in elements { visit(type, element) }
    }
    guard case .object(let members) = value else { return }
    for field in type.inputFields {
      guard let inner = context.schema.type(of: field.type), inner.kind == .inputObject else {
        continue
      }
      if let member = members.last(where: { $0.name == field.name }) {
        visit(inner, member.value)
      } else {
        visit(field, inner, "\(type.name).\(field.name)")
      }
    }
  }

  private mutating func visit(_ field: SchemaInput, _ type: SchemaType, _ coordinate: String) {
    guard let value = field.appliedDefault else { return }
    if let position = positions[coordinate] { return report(coordinate, from: position) }
    guard visited.insert(coordinate).inserted else { return }
    path.append((coordinate, value.place(behind: value.tokens)))
    positions[coordinate] = path.count
    visit(type, value.value)
    path.removeLast()
    positions[coordinate] = nil
  }

  private func report(_ coordinate: String, from position: Int) {
    let others = path[position...].map(\.coordinate).joined(separator: ", ")
    let places = path[(position - 1)...].map(\.place)
    context.report(
      DefaultValueCycles.self,
      "Invalid circular reference. The default value of Input Object field \(coordinate) references "
        + "itself" + (others.isEmpty ? "." : " via the default values of: \(others)."),
      at: places[0], related: Array(places.dropFirst()))
  }
}
