import Weir

/// What the variables of one execution decide: which selections count, and where fields with
/// arguments are kept.
struct Bindings {
  let plan: OperationPlan
  let catalog: Catalog
  let variables: VariableValues
  /// A bit for each variable of `@include` and `@skip` that is true.
  let conditions: UInt64
  private var fields: [FieldID?] = []

  init(plan: OperationPlan, catalog: Catalog, variables bytes: [UInt8]) {
    self.init(
      plan: plan, catalog: catalog,
      variables: VariableValues(plan.usesVariables ? bytes : [], defaults: plan.defaults))
  }

  init(plan: OperationPlan, catalog: Catalog, variables: VariableValues) {
    self.plan = plan
    self.catalog = catalog
    self.variables = variables
    var conditions: UInt64 = 0
    for (bit, name) in plan.conditionVariables.prefix(64).enumerated()
    where variables.isTrue(name) { conditions |= 1 << UInt64(bit) }
    self.conditions = conditions
  }

  /// Where a field is kept whose arguments hold variables.
  mutating func field(_ number: Int) -> FieldID {
    if number < fields.count, let known = fields[number] { return known }
    let template = plan.template(number)
    let field = catalog.field(template.storageKey(variables), name: template.name)
    while fields.count <= number { fields.append(nil) }
    fields[number] = field
    return field
  }

  /// The fields whose numbers it remembers.
  var knownFields: [FieldID] { fields.compactMap { $0 } }

  @inline(__always)
  mutating func place(_ place: ShapeField.Place) -> FieldPlace? {
    switch place {
    case .fixed(let place): place
    case .variable(let number): FieldPlace(field: field(number), slot: -1)
    case .typename, .computed: nil
    }
  }

  func shape(_ node: SelectionNode, _ type: TypeID, isRoot: Bool = false) -> Shape {
    catalog.shape(
      of: node, ShapeKey(type: type, conditions: conditions, isRoot: isRoot), in: plan)
  }
}
