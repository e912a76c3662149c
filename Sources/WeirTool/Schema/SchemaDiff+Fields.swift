import GraphQLLanguage
import GraphQLValidation

extension SchemaDiff {
  /// The owner of arguments or input fields.
  struct Inputs {
    /// `argument` or `input-field`.
    let what: String
    /// The coordinate of the owner.
    let owner: String
    /// The coordinate of a member.
    let coordinate: (String) -> String

    /// `argument` or `input field`.
    var noun: String { what.split(separator: "-").joined(separator: " ") }
  }

  mutating func compareFields(_ before: SchemaType, _ after: SchemaType) {
    for field in before.fields {
      let coordinate = "\(before.name).\(field.name)"
      guard let other = after.field(field.name) else {
        add(.breaking, "field-removed", coordinate, "The field was removed.")
        continue
      }
      if field.type != other.type {
        let isSafe = isSafeOutput(field.type, other.type)
        add(
          isSafe ? .safe : .breaking, "field-type-changed", coordinate,
          "The type changed from \(field.type.canonicalText) to \(other.type.canonicalText).")
      }
      compareDeprecation(coordinate, field, other)
      compareInputs(
        field.arguments, other.arguments,
        Inputs(what: "argument", owner: coordinate) { "\(coordinate)(\($0):)" })
    }
    for field in after.fields where before.field(field.name) == nil {
      add(.safe, "field-added", "\(before.name).\(field.name)", "The field was added.")
    }
  }

  mutating func compareInputFields(_ before: SchemaType, _ after: SchemaType) {
    if before.isOneOf != after.isOneOf {
      add(
        after.isOneOf ? .breaking : .safe, "one-of-changed", before.name,
        after.isOneOf
          ? "The type takes exactly one of its fields." : "The type takes any of its fields.")
    }
    compareInputs(
      before.inputFields, after.inputFields,
      Inputs(what: "input-field", owner: before.name) { "\(before.name).\($0)" })
  }

  mutating func compareInputs(_ before: [SchemaInput], _ after: [SchemaInput], _ inputs: Inputs) {
    for input in before {
      let coordinate = inputs.coordinate(input.name)
      guard let other = after.first(where: { $0.name == input.name }) else {
        add(.breaking, "\(inputs.what)-removed", coordinate, "The \(inputs.noun) was removed.")
        continue
      }
      compare(input, other, coordinate, inputs)
    }
    for input in after where !before.contains(where: { $0.name == input.name }) {
      let coordinate = inputs.coordinate(input.name)
      if input.isRequired {
        add(
          .breaking, "required-\(inputs.what)-added", coordinate,
          "A required \(inputs.noun) was added.", concerns: [inputs.owner])
      } else {
        add(
          .dangerous, "optional-\(inputs.what)-added", coordinate,
          "An optional \(inputs.noun) was added.", concerns: [inputs.owner])
      }
    }
  }

  private mutating func compare(
    _ before: SchemaInput, _ after: SchemaInput, _ coordinate: String, _ inputs: Inputs
  ) {
    if before.type != after.type {
      let isSafe = isSafeInput(before.type, after.type)
      // An argument that becomes required concerns those who leave it out.
      add(
        isSafe ? .safe : .breaking, "\(inputs.what)-type-changed", coordinate,
        "The type changed from \(before.type.canonicalText) to \(after.type.canonicalText).",
        concerns: after.isRequired && !before.isRequired ? [coordinate, inputs.owner] : nil)
    }
    let (old, new) = (before.definition.defaultValue, after.definition.defaultValue)
    if old != new {
      let becomesRequired = after.isRequired && !before.isRequired
      add(
        becomesRequired ? .breaking : .dangerous, "default-value-changed", coordinate,
        "The default value changed from \(old?.canonicalText ?? "none") to "
          + "\(new?.canonicalText ?? "none").", concerns: [coordinate, inputs.owner])
    }
    compareDeprecation(coordinate, before, after)
  }

  mutating func compareDeprecation(
    _ coordinate: String, _ before: some SchemaElement, _ after: some SchemaElement
  ) {
    guard before.deprecationReason != after.deprecationReason else { return }
    let message = after.deprecationReason.map { "It is deprecated: \($0)" }
    add(.safe, "deprecation-changed", coordinate, message ?? "It is not deprecated any more.")
  }

  /// Whether documents can stay as they are. An object type in the place of its interface is not enough:
  /// the interface's other types cannot be selected from it.
  private func isSafeOutput(_ before: TypeReference, _ after: TypeReference) -> Bool {
    switch (before, after) {
    case (.nonNull(let before), .nonNull(let after)): isSafeOutput(before, after)
    case (.nonNull, _): false
    case (_, .nonNull(let after)): isSafeOutput(before, after)
    case (.list(let before), .list(let after)): isSafeOutput(before, after)
    case (.named(let before), .named(let after)): before == after
    default: false
    }
  }

  /// Whether every value of the old type is one of the new type.
  private func isSafeInput(_ before: TypeReference, _ after: TypeReference) -> Bool {
    switch (before, after) {
    case (.nonNull(let before), .nonNull(let after)): isSafeInput(before, after)
    case (.nonNull(let before), _): isSafeInput(before, after)
    case (_, .nonNull): false
    case (.list(let before), .list(let after)): isSafeInput(before, after)
    default: before == after
    }
  }
}
