import GraphQLLanguage
import Weir

// MARK: - Redirects

extension RecordReader {
  /// Reads a field that no response has contained, but whose arguments identify its entities.
  mutating func redirected(_ field: ShapeField, _ node: SelectionNode) -> Bool {
    guard
      let named = field.policy?.redirect?.entities(of: field, bindings.variables, catalog)
    else { return missingField() }
    guard named.isList else { return redirected(to: named.entities.first ?? [], node) }
    let opened = beginArray()
    for (index, candidates) in named.entities.enumerated() {
      beginElement(index)
      guard redirected(to: candidates, node) else { return false }
    }
    endArray(opened, named.entities.count)
    return true
  }

  /// Reads the only one of some entities that exists.
  private mutating func redirected(to candidates: [Entity], _ node: SelectionNode) -> Bool {
    builder.reserve(bytes: 16, cells: 4)
    guard !candidates.isEmpty else { return missingField() }
    var found: [RecordReference] = []
    for entity in candidates {
      if let record = state.liveRecord(of: entity, catalog) {
        found.append(record)
      } else {
        result.trace.noteAbsent(entity)
      }
    }
    if found.count == 1 {
      // A storage may have another one, and then the id is not clear.
      if candidates.count > 1 { result.trace.hasDangling = true }
      return object(found[0], state.view(found[0]), node, isRoot: false)
    }
    // The result changes when all but one of them are removed.
    for record in found { result.trace.noteUnseen(record, state) }
    return missingField(found.isEmpty ? .dangling : .missing)
  }
}

extension EntityRedirect {
  /// The entities that a field's arguments identify: one or a list. For each id, there is one entity of each
  /// object type that ``typename`` stands for, and none if the id is invalid. The result is nil if an
  /// argument is absent.
  package func entities(
    of field: ShapeField, _ variables: VariableValues, _ catalog: Catalog
  ) -> (isList: Bool, entities: [[Entity]])? {
    guard let (isList, ids) = ids(in: field, variables) else { return nil }
    let spaces = Set(typenames(catalog).map { catalog.inKeySpace(Entity($0, id: "")).typename })
    return (
      isList, ids.map { id in id.map { id in spaces.map { Entity($0, id: id) } } ?? [] }
    )
  }

  /// The records that exist of these entities. The app's code is not called.
  package func records(
    of field: ShapeField, _ variables: VariableValues, _ catalog: Catalog, in state: RecordState
  ) -> [RecordReference] {
    let spaces = Set(typenames(catalog).compactMap(catalog.knownKeySpace))
    return (ids(in: field, variables)?.ids ?? []).flatMap { id -> [RecordReference] in
      guard let id else { return [] }
      return spaces.compactMap { state.record(of: Entity($0, id: id), catalog) }
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

  private func typenames(_ catalog: Catalog) -> Set<String> {
    catalog.policies.objectTypes(within: typename)
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
      result.trace.noteSource(record, place)
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
