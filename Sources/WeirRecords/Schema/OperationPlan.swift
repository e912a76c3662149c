import GraphQLLanguage
package import Weir

/// A document's selections, compiled step by step as a store sees types.
package final class OperationPlan: Sendable {
  package let root: SelectionNode
  let fragments: [String: FragmentDefinition]
  /// The default values of variables.
  let defaults: [String: Value]
  /// The variables that `@include` and `@skip` use.
  let conditionVariables: [String]
  /// Whether the place of any field, or any condition, depends on a variable.
  let usesVariables: Bool
  /// Whether `@connection` makes pages of a field.
  package let declaresPages: Bool
  /// The names of all selected fields.
  private let fieldNames: Set<String>

  /// The used variables that must have a value.
  private let requiredVariables: [String]

  /// The fields that are selected again somewhere within their own selection.
  private let recurringFields: Set<String>
  /// See ``MixedKeys``.
  private let mixedFields: Set<String>

  /// The size of the previous result, for any values of the variables.
  package let lastSize = Locked(ReadSize())

  /// The variables of the last execution, if they may be the next one's, too.
  let lastBindings = Locked<KnownBindings?>(nil)

  let numbers = Locked(Numbers())
  private let shapeCount = AtomicWord()
  /// The catalog's count when the plan was made; see ``Catalog/retractionCount``.
  private let retractionCount: UInt64

  struct Numbers {
    fileprivate var nodes = 1
    fileprivate var templates: [ArgumentTemplate: Int] = [:]
    fileprivate var templateList: [ArgumentTemplate] = []
    /// What the compiled selections contain by number; see ``Catalog/State/livePlans``.
    var used = UsedNumbers()
  }

  init(_ prepared: PreparedOperation, isFragment: Bool, _ catalog: Catalog) {
    retractionCount = catalog.retractionCount.load()
    var selectionSet = prepared.definition.selectionSet
    if isFragment, case .field(let field) = selectionSet.selections.first {
      selectionSet = field.selectionSet ?? []
    }
    fragments = prepared.fragments
    root = SelectionNode(number: 0, selectionSets: [selectionSet])
    var defaults: [String: Value] = [:]
    for variable in prepared.definition.variableDefinitions {
      if let value = variable.defaultValue { defaults[variable.name] = value }
    }
    self.defaults = defaults
    var found = SelectionSummary()
    found.visit(selectionSet)
    for fragment in fragments.values { found.visit(fragment.selectionSet) }
    var recurrence = FieldRecurrence(repeated: found.repeated, fragments: fragments)
    _ = recurrence.visit(selectionSet)
    recurringFields = recurrence.recurring
    var mixed = MixedKeys(catalog.policies, fragments)
    mixed.visit(selectionSet)
    mixedFields = mixed.fields
    conditionVariables = found.conditions.sorted()
    let optional = prepared.definition.variableDefinitions.filter {
      if case .nonNull = $0.type { $0.defaultValue != nil } else { true }
    }
    requiredVariables = found.variables.subtracting(optional.map(\.name)).sorted()
    usesVariables = found.usesVariables
    declaresPages = found.hasConnections
    fieldNames = found.names
  }

  /// Whether a field may be found again within its own value. One that stands for two may contain
  /// either.
  func mayRecur(_ field: Field) -> Bool {
    recurringFields.contains(field.name) || field.name.contains("|")
  }

  /// Whether the field's objects are selected with their keys in one place and without in another.
  func mixesKeys(_ field: Field) -> Bool { mixedFields.contains(field.name) }

  /// The variables that should have a value but do not.
  package func unsetVariables(_ values: VariableValues) -> [String] {
    requiredVariables.filter { values.resolved(.variable($0)) == nil }
  }

  /// Whether a field of this name is selected anywhere.
  package func selects(_ name: Substring) -> Bool { fieldNames.contains(String(name)) }

  func makeNode(_ selectionSets: [SelectionSet]) -> SelectionNode {
    let number = numbers.withLock { numbers in
      defer { numbers.nodes += 1 }
      return numbers.nodes
    }
    return SelectionNode(number: number, selectionSets: selectionSets)
  }

  /// The number of a field whose storage key depends on variables.
  func number(of template: ArgumentTemplate) -> Int {
    numbers.withLock { numbers in
      if let number = numbers.templates[template] { return number }
      numbers.templates[template] = numbers.templateList.count
      numbers.templateList.append(template)
      return numbers.templateList.count - 1
    }
  }

  func template(_ number: Int) -> ArgumentTemplate {
    numbers.withLock { $0.templateList[number] }
  }

  func use(_ field: FieldID) { numbers.withLock { _ = $0.used.fields.insert(field) } }

  /// Called for each shape that is made.
  func use(_ type: TypeID) {
    shapeCount.add(1)
    numbers.withLock { _ = $0.used.types.insert(type) }
  }

  /// Whether the next walk should begin with a new plan: because the server names so many types that there
  /// are too many shapes, or because some shapes may lack fields. A walk itself keeps its plan, because it
  /// refers to nodes by number.
  package func isOutdated(_ catalog: Catalog) -> Bool {
    shapeCount.load() > catalog.policies.maximumShapes || mayLackFields(catalog)
  }

  /// Whether its shapes may lack the fields of type conditions that seemed not to hold.
  package func mayLackFields(_ catalog: Catalog) -> Bool {
    retractionCount != catalog.retractionCount.load()
  }
}

/// Numbers of a catalog that are in use: fields with arguments, and types.
struct UsedNumbers {
  var fields: Set<FieldID> = []
  var types: Set<TypeID> = []

  mutating func formUnion(_ other: UsedNumbers) {
    fields.formUnion(other.fields)
    types.formUnion(other.types)
  }
}

/// What a document's selections use: variables, names of fields, pages, and fields with objects that are
/// selected in several places.
private struct SelectionSummary {
  var conditions: Set<String> = []
  var variables: Set<String> = []
  var usesVariables: Bool { !variables.isEmpty }
  private(set) var hasConnections = false
  private(set) var names: Set<String> = []
  private var repeatedNames: Set<String> = []
  private var composites: Set<String> = []

  var repeated: Set<String> { repeatedNames.intersection(composites) }

  mutating func visit(_ selectionSet: SelectionSet) {
    for selection in selectionSet.selections {
      switch selection {
      case .field(let field):
        if !names.insert(field.name).inserted { repeatedNames.insert(field.name) }
        if field.selectionSet != nil { composites.insert(field.name) }
        visit(field.directives)
        if field.directives.contains(.connection) { hasConnections = true }
        for argument in field.arguments { visit(argument.value) }
        if let selectionSet = field.selectionSet { visit(selectionSet) }
      case .fragmentSpread(let spread):
        visit(spread.directives)
      case .inlineFragment(let fragment):
        visit(fragment.directives)
        visit(fragment.selectionSet)
      }
    }
  }

  private mutating func visit(_ directives: [Directive]) {
    for directive in directives where directive.isCondition {
      for case .variable(let name) in directive.arguments.map(\.value) {
        conditions.insert(name)
        variables.insert(name)
      }
    }
  }

  private mutating func visit(_ value: Value) {
    switch value {
    case .variable(let name): variables.insert(name)
    case .list(let elements): for element in elements { visit(element) }
    case .object(let fields): for field in fields { visit(field.value) }
    case .int, .float, .string, .boolean, .null, .enum: break
    }
  }
}

/// The size of a result, used to reserve memory for the next one.
package struct ReadSize {
  var bytes = 256
  var cells = 0
  var records = 16

  init() {}

  /// Whether the text and the tape are likely to fit in a kilobyte each.
  var isSmall: Bool { bytes <= 768 && cells <= 72 }
}
