import GraphQLLanguage

/// No fragment contains itself, directly or through other fragments (section 5.5.2.2).
enum FragmentSpreadsMustNotFormCycles: ValidationRule {
  static let name = "fragment-spreads-must-not-form-cycles"

  static func check(_ context: DocumentContext) {
    var search = CycleSearch(fragments: context.fragmentDefinitions(), context: context)
    for definition in context.definitions where definition.fragment != nil {
      search.start(at: definition)
    }
  }
}

/// A search in depth that enters each fragment once. It has a stack of its own, because a chain of
/// fragments can be long.
private struct CycleSearch {
  private struct Step {
    let definition: DefinitionUse
    let name: String
    var next = 0
  }

  let fragments: [String: DefinitionUse]
  let context: DocumentContext
  private var entered: Set<String> = []
  private var steps: [Step] = []
  /// The positions of the fragments in `steps`.
  private var positions: [String: Int] = [:]

  init(fragments: [String: DefinitionUse], context: DocumentContext) {
    self.fragments = fragments
    self.context = context
  }

  mutating func start(at definition: DefinitionUse) {
    enter(definition)
    while let step = steps.last {
      guard step.next < step.definition.spreads.count else {
        positions[step.name] = nil
        steps.removeLast()
        continue
      }
      steps[steps.count - 1].next += 1
      let spread = step.definition.spreads[step.next]
      if let position = positions[spread.name] {
        report(from: position)
      } else if let fragment = fragments[spread.name] {
        enter(fragment)
      }
    }
  }

  private mutating func enter(_ definition: DefinitionUse) {
    guard let name = definition.fragment?.name, entered.insert(name).inserted else { return }
    positions[name] = steps.count
    steps.append(Step(definition: definition, name: name))
  }

  /// Each step from the position on has just passed the spread that leads to the next one.
  private func report(from position: Int) {
    let path = steps[position...].map { $0.definition.spreads[$0.next - 1] }
    let name = path[path.count - 1].name
    let via = path.dropLast().map { "\"\($0.name)\"" }
    // A cycle of many fragments would make each message long.
    let shown = via.count > 30 ? via.prefix(30) + ["…"] : via[...]
    context.report(
      FragmentSpreadsMustNotFormCycles.self,
      "Cannot spread fragment \"\(name)\" within itself"
        + (via.isEmpty ? "." : " via \(shown.joined(separator: ", "))."),
      at: path[0].place, related: path.dropFirst().prefix(30).map(\.place))
  }
}
