import GraphQLLanguage
import Weir

// MARK: - Redirects

extension RecordReader {
  /// Reads a field that no response has contained, but whose arguments identify its entities.
  mutating func redirected(_ field: ShapeField, _ node: SelectionNode) -> Bool {
    guard
      let named = field.policy?.redirect?.entities(of: field, bindings.variables, catalog)
    else { return missingField() }
    guard named.isList else { return redirected(to: named.entities.first ?? nil, node) }
    let opened = beginArray()
    for (index, entity) in named.entities.enumerated() {
      beginElement(index)
      guard redirected(to: entity, node) else { return false }
    }
    endArray(opened, named.entities.count)
    return true
  }

  private mutating func redirected(to entity: Entity?, _ node: SelectionNode) -> Bool {
    builder.reserve(bytes: 16, cells: 4)
    guard let entity else { return missingField() }
    guard let record = state.liveRecord(of: entity, catalog) else {
      result.trace.absentEntities.append(entity)
      return missingField(.dangling)
    }
    return object(record, state.view(record), node, isRoot: false)
  }
}

extension EntityRedirect {
  /// The entities that a field's arguments identify: one or a list. An entity is nil for an invalid
  /// id. The result is nil if an argument is absent.
  package func entities(
    of field: ShapeField, _ variables: VariableValues, _ catalog: Catalog
  ) -> (isList: Bool, entities: [Entity?])? {
    guard let (isList, ids) = ids(in: field, variables) else { return nil }
    return (isList, ids.map { $0.map { catalog.inKeySpace(Entity(typename, id: $0)) } })
  }

  /// The records that exist of these entities. The app's code is not called.
  package func records(
    of field: ShapeField, _ variables: VariableValues, _ catalog: Catalog, in state: RecordState
  ) -> [RecordReference] {
    guard let space = catalog.knownKeySpace(of: typename) else { return [] }
    return (ids(in: field, variables)?.ids ?? []).compactMap { id in
      id.flatMap { state.record(of: Entity(space, id: $0), catalog) }
    }
  }

  /// The mistakes in the paths, as the arguments of an operation show them.
  func mistakes(in field: ShapeField, _ variables: VariableValues) -> [String] {
    arguments.compactMap { path in
      do {
        _ = try value(at: path, in: field, variables)
        return nil
      } catch {
        return "The argument \(path) of \(field.path) has \(error)."
      }
    }
  }

  private func ids(
    in field: ShapeField, _ variables: VariableValues
  ) -> (isList: Bool, ids: [String?])? {
    var values: [JSON] = []
    for path in arguments {
      guard let value = try? value(at: path, in: field, variables) else { return nil }
      values.append(value)
    }
    guard values.count == 1, values[0].kind == .array else {
      return (false, [id(values)])
    }
    return (true, values[0].elements.map { id([$0]) })
  }

  private func value(
    at path: String, in field: ShapeField, _ variables: VariableValues
  ) throws(ArgumentPath.Mistake) -> JSON? {
    let path = ArgumentPath(path)
    guard let argument = field.syntax.arguments.first(where: { $0.name == path.argument }),
      let bytes = variables.resolved(argument.value)
    else { return nil }
    return try path.value(in: try? JSON(parsing: bytes))
  }

  private func id(_ values: [JSON]) -> String? {
    let parts = values.map { value in
      value.withTape { tape, index in EntityKeyText.component(tape[index], tape) }
    }
    return EntityKeyText.make(parts).map { String(decoding: $0, as: UTF8.self) }
  }
}

// MARK: - Computed fields

extension RecordReader {
  /// Calls the closure with the fields that it depends on: plain fields without arguments. The
  /// store's missing fields are absent from the closure's input.
  mutating func computed(
    _ computed: ComputedField, _ record: RecordReference, _ shape: Shape
  ) -> Bool {
    var text: [UInt8] = []
    for name in computed.dependencies {
      let place = catalog.place(catalog.field(name, name: name), table: record.table)
      let cell = state.cell(record, place)
      result.trace.computedFields.append((record, place))
      guard let value = state[record].json(of: cell) else { continue }
      text.append(text.isEmpty ? UInt8(ascii: "{") : UInt8(ascii: ","))
      text += CanonicalJSON.string(name) + [UInt8(ascii: ":")] + value
    }
    text += text.isEmpty ? Array("{}".utf8) : [UInt8(ascii: "}")]
    guard let input = try? JSON(parsing: text),
      let bytes = try? computed.value(input).canonicalBytes(),
      let output = try? JSONDocument.parse(bytes)
    else { return missingField() }
    builder.append(output)
    reserve(for: shape)
    return true
  }
}
