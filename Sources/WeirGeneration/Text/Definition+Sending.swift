import GraphQLLanguage
import GraphQLValidation

extension Definition {
  /// The definition as generated code sends it: without what servers may not know, and with each
  /// `__typename` that the code reads and the client does not add.
  ///
  /// Descriptions are new in the specification of September 2025.
  func asSent(in schema: TypeSystem) -> Definition {
    switch self {
    case .operation(var operation):
      operation.description = nil
      operation.directives.removeClientDirectives()
      operation.selectionSet = operation.selectionSet.withoutUnmasking
      for index in operation.variableDefinitions.indices {
        operation.variableDefinitions[index].description = nil
      }
      return .operation(operation)
    case .fragment(var fragment):
      fragment.description = nil
      fragment.directives.removeClientDirectives()
      let lacksTypename = fragment.lacksTypename(in: schema)
      fragment.selectionSet = fragment.selectionSet.withoutUnmasking
      if lacksTypename {
        fragment.selectionSet.selections.append(.field(Field(name: "__typename")))
      }
      return .fragment(fragment)
    default:
      return self
    }
  }
}

extension [Directive] {
  /// Removes the directive by which documents for Apollo iOS ask for types that can be changed. All
  /// generated types can, and servers do not know it.
  fileprivate mutating func removeClientDirectives() {
    removeAll { $0.isKnown(as: .localCacheMutation) }
  }
}

extension FragmentDefinition {
  /// Whether the client does not add the name of the type in all places: it adds none at the root, where
  /// a fragment on an interface of the root type also needs it. A subscription can have no second field
  /// there, and so spreads no such fragment.
  func lacksTypename(in schema: TypeSystem) -> Bool {
    guard let type = schema.types[typeCondition], type.isAbstract else { return false }
    let roots = [OperationKind.query, .mutation].compactMap { schema.rootTypes[$0] }
    return schema.possibleTypes(of: type.name).contains(where: roots.contains)
      && !selectionSet.selectsTypename(of: type, in: schema)
  }
}

extension SelectionSet {
  /// Whether the text selects the type's name without a condition.
  fileprivate func selectsTypename(of type: SchemaType, in schema: TypeSystem) -> Bool {
    selections.contains { selection in
      switch selection {
      case .field(let field):
        return field.isTypename && !field.directives.areConditional
      case .inlineFragment(let fragment):
        let holds = fragment.typeCondition.map { schema.isSubtype(type.name, of: $0) } ?? true
        return holds && !fragment.directives.areConditional
          && fragment.selectionSet.selectsTypename(of: type, in: schema)
      case .fragmentSpread: return false
      }
    }
  }
}
