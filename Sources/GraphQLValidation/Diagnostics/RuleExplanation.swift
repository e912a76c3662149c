/// The demand of a rule, and the cure for its findings.
package struct RuleExplanation: Sendable {
  package let rule: String
  package let cure: String

  /// The explanations of all rules, by name.
  package static let all = documents.merging(lint) { $1 }.merging(schemas) { $1 }

  /// The rules of the specification for documents (section 5).
  static let documents: [String: RuleExplanation] = [
    "executable-definitions": RuleExplanation(
      rule: "A document to execute has no definitions of types (section 5.1.1).",
      cure: "Move types to a file of the schema."),
    "operation-type-existence": RuleExplanation(
      rule: "The schema has a root type for the kind of each operation (section "
        + "5.2.1.1).",
      cure: "Remove the operation, or fetch the current schema."),
    "operation-name-uniqueness": RuleExplanation(
      rule: "No two operations have the same name (section 5.2.2.1).",
      cure: "Rename one of them. All files of a project count as one document."),
    "lone-anonymous-operation": RuleExplanation(
      rule: "An operation without a name is the only operation (section 5.2.3.1).",
      cure: "Name the operation."),
    "single-root-field": RuleExplanation(
      rule: "A subscription selects one field of the root, which is not for "
        + "introspection and not conditional (section 5.2.4.1).",
      cure: "Write one subscription for each field."),
    "field-selections": RuleExplanation(
      rule: "A selected field exists on the type (section 5.3.1).",
      cure: "Correct the name; for a field of an object type behind an interface or a "
        + "union, select it in `... on Type`."),
    "field-selection-merging": RuleExplanation(
      rule: "Fields with the same response key mean the same, so that a response can "
        + "hold both (section 5.3.2).",
      cure: "Give one of the fields an alias."),
    "leaf-field-selections": RuleExplanation(
      rule: "A field has a selection set if and only if its type has fields (section "
        + "5.3.3).",
      cure: "Select fields of the object, or remove the braces of a scalar."),
    "argument-names": RuleExplanation(
      rule: "The schema defines every argument of a field or a directive (section "
        + "5.4.1).",
      cure: "Correct the name, or remove the argument."),
    "argument-uniqueness": RuleExplanation(
      rule: "A field or a directive has no argument twice (section 5.4.2).",
      cure: "Remove one of the arguments."),
    "required-arguments": RuleExplanation(
      rule: "A field or a directive has all arguments that are non-null and have no "
        + "default value (section 5.4.3).",
      cure: "Add the argument."),
    "fragment-name-uniqueness": RuleExplanation(
      rule: "No two fragments have the same name (section 5.5.1.1).",
      cure: "Rename one of them. All files of a project count as one document."),
    "fragment-spread-type-existence": RuleExplanation(
      rule: "The schema defines the type that a fragment applies to (section 5.5.1.2).",
      cure: "Correct the name of the type."),
    "fragments-on-composite-types": RuleExplanation(
      rule: "A fragment applies to an object type, an interface or a union (section "
        + "5.5.1.3).",
      cure: "Select the field without a fragment."),
    "fragments-must-be-used": RuleExplanation(
      rule: "An operation uses every fragment, directly or through other fragments "
        + "(section 5.5.1.4).",
      cure: "Remove the fragment. The generator does not apply this rule by default, because "
        + "a cache or another module may use a fragment."),
    "fragment-spread-target-defined": RuleExplanation(
      rule: "The fragment of a spread exists (section 5.5.2.1).",
      cure: "Correct the name, or add the fragment."),
    "fragment-spreads-must-not-form-cycles": RuleExplanation(
      rule: "No fragment contains itself, directly or through other fragments (section "
        + "5.5.2.2).",
      cure: "Select as many levels as you show, without the fragment."),
    "fragment-spread-is-possible": RuleExplanation(
      rule: "An object exists to which both a fragment and the type around it apply "
        + "(section 5.5.2.3).",
      cure: "Remove the fragment: it never applies."),
    "values-of-correct-type": RuleExplanation(
      rule: "A literal fits the type of its position, and an input object has only "
        + "defined fields and all required ones (sections 5.6.1, 5.6.2 and 5.6.4).",
      cure: "Correct the value. A value of an enumeration has no quotes."),
    "input-object-field-uniqueness": RuleExplanation(
      rule: "An input object has no field twice (section 5.6.3).",
      cure: "Remove one of the fields."),
    "directives-are-defined": RuleExplanation(
      rule: "The schema defines every directive (section 5.7.1).",
      cure: "Correct the name, or define the directive in a file of the schema."),
    "directives-are-in-valid-locations": RuleExplanation(
      rule: "A directive stands only where its definition allows it (section 5.7.2).",
      cure: "Move or remove the directive."),
    "directives-are-unique-per-location": RuleExplanation(
      rule: "Only a directive that is defined as `repeatable` stands several times at "
        + "one place (section 5.7.3).",
      cure: "Remove one of the directives."),
    "variable-uniqueness": RuleExplanation(
      rule: "An operation declares no variable twice (section 5.8.1).",
      cure: "Rename one of the variables."),
    "variables-are-input-types": RuleExplanation(
      rule: "The type of a variable exists and is a scalar, an enumeration or an input "
        + "object (section 5.8.2).",
      cure: "Correct the type."),
    "all-variable-uses-defined": RuleExplanation(
      rule: "An operation declares every variable that it and its fragments use "
        + "(section 5.8.3).",
      cure: "Declare the variable in the operation."),
    "all-variables-used": RuleExplanation(
      rule: "An operation uses every variable that it declares, itself or in a fragment "
        + "(section 5.8.4).",
      cure: "Remove the variable."),
    "all-variable-usages-are-allowed": RuleExplanation(
      rule: "A variable fits every position where it is used, and is non-null in a "
        + "`@oneOf` input object (section 5.8.5).",
      cure: "Declare the variable with the type of the argument."),
  ]
}
