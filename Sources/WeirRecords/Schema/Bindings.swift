package import Weir

/// The variables of one execution, resolved: they determine which selections apply, and where fields
/// with arguments are stored.
package struct Bindings {
  package let plan: OperationPlan
  package let catalog: Catalog
  package let variables: VariableValues
  /// The variables of `@include` and `@skip` that are true.
  package let conditions: Set<String>
  private var fields: [VariableField?] = []

  package init(plan: OperationPlan, catalog: Catalog, variables: CompactBytes) {
    self.plan = plan
    self.catalog = catalog
    self.variables = VariableValues(
      plan.usesVariables ? variables : .none, defaults: plan.defaults)
    conditions = Set(plan.conditionVariables.filter(self.variables.isTrue))
  }

  private struct VariableField {
    let field: FieldID
    /// Whether all arguments are absent, so that the field is the same as without arguments.
    let isPlain: Bool
  }

  /// The place of a field whose arguments contain variables.
  package mutating func place(_ number: Int, table: TableID) -> FieldPlace {
    let known = number < fields.count ? fields[number] : nil
    let found = known ?? find(number)
    return found.isPlain
      ? catalog.place(found.field, table: table) : FieldPlace(besideRow: found.field)
  }

  private mutating func find(_ number: Int) -> VariableField {
    let template = plan.template(number)
    let key = template.storageKey(variables)
    let found = VariableField(
      field: catalog.field(key, name: template.name), isPlain: key == template.name)
    if fields.count <= number {
      fields.reserveCapacity(number + 1)
      fields += repeatElement(nil, count: number + 1 - fields.count)
    }
    fields[number] = found
    return found
  }

  /// The fields that have been resolved so far.
  package var knownFields: [FieldID] { fields.compactMap { $0?.field } }
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
}
