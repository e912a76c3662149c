package import Weir

/// The variables of one execution, resolved: they determine which selections apply, and where fields
/// with arguments are stored.
package struct Bindings {
  package let plan: OperationPlan
  package let catalog: Catalog
  private var known: KnownBindings
  /// Whether the plan does not know yet what has been resolved.
  private var hasNewFields = false

  package init(plan: OperationPlan, catalog: Catalog, variables: CompactBytes) {
    self.plan = plan
    self.catalog = catalog
    let forgetCount = catalog.forgetCount.load()
    let variables = plan.usesVariables ? variables : .none
    known =
      plan.lastBindings.withLock { last in
        last.flatMap { $0.isValid(for: variables, forgetCount) ? $0 : nil }
      }
      ?? KnownBindings(
        values: BoundVariables(variables, plan), forgetCount: forgetCount)
  }

  package var variables: VariableValues { known.values.variables }

  /// The variables of `@include` and `@skip` that are true.
  var conditions: Set<String> { known.values.conditions }

  /// Lets the next execution with the same variables begin with the fields that have been resolved.
  package func remember() {
    guard hasNewFields, variables.isShort else { return }
    plan.lastBindings.withLock { $0 = known }
  }

  /// Resolves all fields again if the catalog may have forgotten some of them.
  mutating func renew() {
    let forgetCount = catalog.forgetCount.load()
    guard known.forgetCount != forgetCount else { return }
    known = KnownBindings(values: known.values, forgetCount: forgetCount)
  }

  /// The place of a field whose arguments contain variables.
  package mutating func place(_ number: Int, table: TableID) -> FieldPlace {
    let fields = known.fields
    let found = (number < fields.count ? fields[number] : nil) ?? find(number)
    return found.isPlain
      ? catalog.place(found.field, table: table) : FieldPlace(besideRow: found.field)
  }

  private mutating func find(_ number: Int) -> KnownBindings.VariableField {
    let template = plan.template(number)
    let key = template.storageKey(variables)
    let found = KnownBindings.VariableField(
      field: catalog.field(key, name: template.name), isPlain: key == template.name)
    known.insert(found, at: number)
    hasNewFields = true
    return found
  }

  /// The fields that have been resolved so far.
  package var knownFields: [FieldID] { known.fields.compactMap { $0?.field } }

  package mutating func place(_ place: ShapeField.Place, table: TableID) -> FieldPlace? {
    switch place {
    case .fixed(let place): place
    case .variable(let number): self.place(number, table: table)
    case .typename, .computed: nil
    }
  }

  package func shape(_ node: SelectionNode, _ type: TypeID, isRoot: Bool = false) -> Shape {
    catalog.shape(
      of: node, ShapeKey(type: type, conditions: conditions, isRoot: isRoot), in: plan)
  }

  /// The shape that selects some of these members after all; see ``Catalog/shape(of:_:selecting:in:)``.
  func shape(_ node: SelectionNode, _ type: TypeID, selecting members: [String]) -> Shape? {
    catalog.shape(
      of: node, ShapeKey(type: type, conditions: conditions, isRoot: false), selecting: members,
      in: plan)
  }
}

/// The variables of an execution, which a copy of the bindings shares.
final class BoundVariables: Sendable {
  let variables: VariableValues
  let conditions: Set<String>

  init(_ text: CompactBytes, _ plan: OperationPlan) {
    let variables = VariableValues(text, defaults: plan.defaults)
    self.variables = variables
    conditions = Set(plan.conditionVariables.filter(variables.isTrue))
  }
}

/// What is known of an execution's variables, as far as neither the plan nor the catalog is needed for
/// it. A plan keeps the last: a poll, a refetch and an event of a subscription have the same variables
/// as the one before.
struct KnownBindings {
  struct VariableField {
    let field: FieldID
    /// Whether all arguments are absent, so that the field is the same as without arguments.
    let isPlain: Bool
  }

  let values: BoundVariables
  /// See ``Catalog/forgetCount``: the fields exist unless it has changed.
  let forgetCount: UInt64
  private(set) var fields: [VariableField?] = []

  init(values: BoundVariables, forgetCount: UInt64) {
    self.values = values
    self.forgetCount = forgetCount
  }

  func isValid(for text: CompactBytes, _ forgetCount: UInt64) -> Bool {
    self.forgetCount == forgetCount && values.variables.hasText(text)
  }

  mutating func insert(_ field: VariableField, at number: Int) {
    if fields.count <= number {
      fields.reserveCapacity(number + 1)
      fields += repeatElement(nil, count: number + 1 - fields.count)
    }
    fields[number] = field
  }
}
