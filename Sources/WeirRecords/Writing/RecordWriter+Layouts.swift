import Weir

/// Finds or makes the layouts of objects.
extension RecordWriter {
  /// Calls `body` with the layout of an object that is, or is within, the value of a member.
  @inline(__always)
  mutating func withLayout<Result>(
    of object: TapeIndex, _ member: WriteLayout.Other,
    _ body: (inout RecordWriter, WriteLayout) -> Result
  ) -> Result {
    let known = layouts.find(object, node: member.node, tape)
    let new = known == nil ? makeLayout(of: object, member.field) : nil
    // Proof: one of the two exists. `new` is retained here. `known` is retained by `layouts` until
    // a layout is made for the same node, which no object within this one has, and no other one
    // that it fits.
    let layout = known ?? Unmanaged.passUnretained(new.unsafelyUnwrapped)
    return withExtendedLifetime(new) {
      layout._withUnsafeGuaranteedRef { body(&self, $0) }
    }
  }

  /// The layout of an object that is, or is within, the value of a member.
  mutating func layout(of object: TapeIndex, _ member: WriteLayout.Other) -> WriteLayout {
    withLayout(of: object, member) { $1 }
  }

  @inline(never)
  private mutating func makeLayout(of object: TapeIndex, _ field: ShapeField) -> WriteLayout {
    guard let node = field.child else { preconditionFailure("A leaf has no layout") }
    let keyList = tape.keyList(object)
    if let usual = node.usualLayout(of: object, tape, bindings.conditions) {
      layouts.keep(usual, node: node.number, keyList: keyList)
      return usual
    }
    let reported = diagnostics.count
    let (type, typenamePosition) = type(of: object, keyList: keyList, field, node)
    func make(_ shape: Shape) -> WriteLayout {
      WriteLayout(
        shape: shape, table: catalog.table(of: type), tape: tape, keyList: keyList,
        typenamePosition: typenamePosition)
    }
    var layout = make(bindings.shape(node, type))
    if !rules.mayLackMembers, !rules.isByHand, type != .nameless, !layout.unknownMembers.isEmpty,
      let shape = bindings.shape(node, type, selecting: layout.unknownMembers)
    {
      layout = make(shape)
    }
    if let redirect = field.policy?.redirect, type != .nameless {
      check(redirect, of: field, layout)
    }
    noteUnknownMembers(layout)
    if layout.keyPositions.isEmpty { noteNoKey(layout, in: field) }
    if let assumptions = layout.shape.assumptions {
      assumptions.learn(
        from: object, of: type, tape, bindings, mayLackMembers: rules.mayLackMembers)
    } else {
      layouts.keep(layout, node: node.number, keyList: keyList)
      if diagnostics.count == reported { node.keepUsual(layout) }
    }
    return layout
  }

  /// The type of an object, and the position of the member that names it; -1 if none does.
  private mutating func type(
    of object: TapeIndex, keyList: Int, _ field: ShapeField, _ node: SelectionNode
  ) -> (type: TypeID, position: Int) {
    let named = typename(of: object, keyList: keyList, node: node)
    if let named, let known = catalog.objectType(named: named.name) {
      return (known, named.position)
    }
    let type = catalog.declaredType(of: field.name, on: field.typename)
    if let named {
      if Catalog.isPossible(named.name) {
        diagnostics.append(.tooManyTypes(catalog.policies.maximumTypes))
      } else {
        note(.noTypename, "An object in \(field.path) has a __typename that is not a name.")
      }
    } else if type == .nameless {
      note(.noTypename, "An object in \(field.path) has no __typename.")
    }
    return (type, -1)
  }

  private mutating func noteNoKey(_ layout: WriteLayout, in field: ShapeField) {
    let (shape, policies) = (layout.shape, catalog.policies)
    var object: String { "\(field.path) has an object of the type \(shape.typename)" }
    if !shape.keyFields.isEmpty {
      let names = shape.keyFields.map { shape.fields[$0].name }.joined(separator: ", ")
      note(.incompleteKey, "\(object) without its key (\(names)).")
    } else if shape.type != .nameless, !layout.isRoot, policies.reportsMissingKeys,
      policies.expectsKey(of: shape.typename)
    {
      note(.noKey, "\(object) without a key.")
    }
  }

  mutating func note(_ code: StoreDiagnostic.Code, _ message: String) {
    diagnostics.append(StoreDiagnostic(code: code, message: message))
  }

  /// Notes the members that are not selected, with the selected ones that they resemble.
  mutating func noteUnknownMembers(_ layout: WriteLayout) {
    // A server could invent members without end.
    guard !layout.unknownMembers.isEmpty, catalog.policies.readsDiagnostics,
      diagnostics.count < StoreDiagnostic.maximumCount
    else { return }
    let keys = layout.shape.fields.map { String(decoding: $0.responseKey, as: UTF8.self) }
    let type = layout.shape.typename.isEmpty ? "An object" : layout.shape.typename
    for name in layout.unknownMembers.prefix(StoreDiagnostic.maximumMembers) {
      let isLong = name.utf8.count > 64
      let nearest = isLong ? nil : NearestName.of(name, among: keys)
      let shown = isLong ? "\(String(name.unicodeScalars.prefix(60)))…" : name
      note(
        .unknownMember,
        "\(type) has a member \(shown) that is not selected; it was ignored."
          + (nearest.map { " Did you mean \($0)?" } ?? ""))
    }
  }

  /// A redirect that leads to objects of another type, or whose path leads nowhere, finds nothing.
  private mutating func check(
    _ redirect: EntityRedirect, of field: ShapeField, _ layout: WriteLayout
  ) {
    let (typename, space) = (layout.shape.typename, catalog.tableName(layout.table))
    for message in redirect.mistakes(in: field, bindings.variables) { note(.unknownName, message) }
    let name = redirect.typename
    if name == typename || name == space || catalog.policies.group(of: name) == space { return }
    if catalog.policies.objectTypes(within: name).contains(typename) { return }
    note(
      .unknownName,
      "\(field.path) is redirected to \(name), but has an object of the type \(typename).")
  }

  /// The member with the type's name, under any alias.
  private func typename(
    of object: TapeIndex, keyList: Int, node: SelectionNode
  ) -> (position: Int, name: String)? {
    for key in node.typenameKeys {
      guard let position = key.withUnsafeBufferPointer({ tape.position(of: $0, in: keyList) })
      else { continue }
      let cell = tape[tape.value(object, at: position)]
      if cell.kind == .string, cell.length > 0 { return (position, tape.string(cell)) }
    }
    return nil
  }
}

extension ShapeField {
  /// The field as diagnostics name it.
  var path: String { "\(typename).\(name)" }
}
