import GraphQLLanguage
import Weir

// MARK: - Redirects

extension RecordReader {
  /// A field that nobody has asked for yet, but whose arguments say which entities it would be.
  mutating func redirected(_ field: ShapeField, _ node: SelectionNode) -> Bool {
    guard let redirect = field.policy?.redirect,
      let values = arguments(redirect.arguments, of: field), let first = values.first
    else { return missingField() }
    guard values.count == 1, first.kind == .array else {
      return redirected(to: values, redirect, node)
    }
    builder.reserve(bytes: 8, cells: 4)
    let opened = builder.open(.array)
    builder.append(UInt8(ascii: "["))
    for (index, id) in first.elements.enumerated() {
      builder.reserve(bytes: 16, cells: 4)
      if index > 0 { builder.append(UInt8(ascii: ",")) }
      guard redirected(to: [id], redirect, node) else { return false }
    }
    builder.reserve(bytes: 8, cells: 4)
    builder.append(UInt8(ascii: "]"))
    builder.close(opened, detail: first.count)
    return true
  }

  /// The values of some arguments; nil if any is absent.
  private func arguments(_ names: [String], of field: ShapeField) -> [JSON]? {
    var values: [JSON] = []
    for name in names {
      guard let argument = field.syntax.arguments.first(where: { $0.name == name }),
        let bytes = bindings.variables.resolved(argument.value),
        let value = try? JSON(parsing: bytes)
      else { return nil }
      values.append(value)
    }
    return values
  }

  mutating func redirected(
    to ids: [JSON], _ redirect: EntityRedirect, _ node: SelectionNode
  ) -> Bool {
    builder.reserve(bytes: 16, cells: 4)
    let parts = ids.map { id in
      id.withTape { tape, index in EntityKeyText.component(tape[index], tape) }
    }
    guard let text = EntityKeyText.make(parts) else { return missingField() }
    let entity = Entity(redirect.typename, id: String(decoding: text, as: UTF8.self))
    guard let record = state.record(at: .entity(entity), catalog) else {
      trace.absentEntities.append(entity)
      return missingField(.dangling)
    }
    return object(record, node, isRoot: false)
  }
}

// MARK: - Computed fields

extension RecordReader {
  /// Calls the closure with the fields that it needs. Those must be plain fields without arguments;
  /// one that is absent is absent there.
  mutating func computed(
    _ computed: ComputedField, _ record: RecordReference, _ shape: Shape
  ) -> Bool {
    var text: [UInt8] = []
    for name in computed.dependencies {
      let place = catalog.place(catalog.field(name, name: name), table: record.table)
      let cell = state.cell(record, place)
      trace.computedFields.append((record, place))
      guard let value = plainValue(cell, record) else { continue }
      text.append(text.isEmpty ? UInt8(ascii: "{") : UInt8(ascii: ","))
      text += CanonicalJSON.string(name) + [UInt8(ascii: ":")] + value
    }
    text += text.isEmpty ? Array("{}".utf8) : [UInt8(ascii: "}")]
    guard let input = try? JSON(parsing: text),
      let bytes = try? computed.value(input).canonicalBytes(),
      let output = try? JSONDocument.parse(bytes)
    else { return missingField() }
    builder.append(output)
    builder.reserve(bytes: shape.fixedBytes + 32, cells: shape.fields.count + 4)
    return true
  }

  func plainValue(_ cell: Cell, _ record: RecordReference) -> [UInt8]? {
    switch cell.kind {
    case .null: Array("null".utf8)
    case .true: Array("true".utf8)
    case .false: Array("false".utf8)
    case .number, .json: state[record].withText(cell) { Array($0) }
    case .string: state[record].withText(cell) { [34] + Array($0) + [34] }
    case .absent, .reference, .embedded, .list: nil
    }
  }
}
