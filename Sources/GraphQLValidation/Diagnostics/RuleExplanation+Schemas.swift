extension RuleExplanation {
  /// The rules that the specification does not have.
  static let lint: [String: RuleExplanation] = [
    "deprecated": RuleExplanation(
      rule: "A document uses nothing that is deprecated: no field, argument, field of "
        + "an input object or value of an enumeration.",
      cure: "The message contains the schema's reason, which often names a replacement."),
    "require-key": RuleExplanation(
      rule: "Objects of a type with a key are selected with it. Without the key, a "
        + "normalized cache keeps them as a part of their parent. An interface or a union is "
        + "reported if all of its types that have a selected field lack the key.",
      cure: "Select the key."),
    "mutation-selects-nothing": RuleExplanation(
      rule: "A mutation that returns objects selects more of them than `__typename`, so "
        + "that caches learn what has changed.",
      cure: "Select the key and the fields that change."),
    "no-typename-alias": RuleExplanation(
      rule: "No field has the alias `__typename`: caches read the type of an object "
        + "there.",
      cure: "Choose another alias."),
    "unused-field-alias": RuleExplanation(
      rule: "No alias is the name of its field.",
      cure: "Remove the alias."),
    "unbounded-connection": RuleExplanation(
      rule: "A field with the arguments `first` or `last` has one of them, so that a "
        + "list has a limit.",
      cure: "Add the argument."),
    "name-matches-file": RuleExplanation(
      rule: "An operation has the name of its file.",
      cure: "Rename the operation or the file."),
    "hidden-swift-type": RuleExplanation(
      rule: "No operation or fragment has the name of a type that Swift code often uses, such as "
        + "`Task`, `Error` or `URL`: its own type would hide that one in all files of the module.",
      cure: "Rename it. Where no file of the module needs the other type, the comment "
        + "`# weir:ignore hidden-swift-type` silences the rule."),
    "unused-variable-in-fragment": RuleExplanation(
      rule: "An operation spreads each fragment that uses variables, so that requests "
        + "give them values.",
      cure: "Spread the fragment in an operation, or remove it."),
    "ignore-comments": RuleExplanation(
      rule: "A comment `# weir:ignore` names rules that the specification does not have: no "
        + "comment silences others.",
      cure: "Correct the name, or remove the comment."),
  ]

  /// The rules of the specification for schemas (section 3).
  package static let schemas: [String: RuleExplanation] = [
    "unique-definitions": RuleExplanation(
      rule: "A schema defines each type and directive once (section 3.3), and has one "
        + "schema definition with one root type of each kind (section 3.3.1). No other kind of "
        + "type has the name of a built-in scalar (section 3.5).",
      cure: "Remove one of the definitions, make it an extension, or rename the type."),
    "unique-members": RuleExplanation(
      rule: "A type has no two fields or values of one name, and a field no two "
        + "arguments (sections 3.6, 3.7, 3.9 and 3.10). Extensions count.",
      cure: "Remove one of them."),
    "known-types": RuleExplanation(
      rule: "Every type that a schema names is defined (section 3.4).",
      cure: "Correct the name, or define the type."),
    "type-extensions": RuleExplanation(
      rule: "An extension is of the same kind as the type that it extends, which is "
        + "defined (section 3.4.3).",
      cure: "Correct the name or the kind."),
    "root-types": RuleExplanation(
      rule: "A schema has a query type, and the root types are different object types "
        + "(section 3.3.1).",
      cure: "Define the type `Query`, or name another one in `schema { query: … }`."),
    "reserved-names": RuleExplanation(
      rule: "Names that begin with two underscores belong to the introspection (section "
        + "2.1.8).",
      cure: "Rename it."),
    "non-empty-types": RuleExplanation(
      rule: "A type has at least one field, member or value (sections 3.6 to 3.10).",
      cure: "Add one, or remove the type."),
    "input-and-output-types": RuleExplanation(
      rule: "Fields have output types; arguments and fields of input objects have input "
        + "types (section 3.4.2).",
      cure: "Define an input object for arguments."),
    "union-members": RuleExplanation(
      rule: "The members of a union are different object types (section 3.8).",
      cure: "Remove the member; interfaces cannot be members."),
    "interface-implementation": RuleExplanation(
      rule: "A type implements its interfaces: it has their fields with compatible "
        + "types and arguments, and names all interfaces that they implement "
        + "(sections 3.6 and 3.7).",
      cure: "Add the field or the interface to the type."),
    "default-values": RuleExplanation(
      rule: "A default value fits the type of its input (sections 3.6.1 and 3.10).",
      cure: "Correct the value."),
    "default-value-cycles": RuleExplanation(
      rule: "The default value of a field of an input object does not contain itself "
        + "(section 3.10).",
      cure: "Remove one of the default values."),
    "input-object-cycles": RuleExplanation(
      rule: "For each input object there is a finite value: it does not contain itself "
        + "through fields that need a value (section 3.10).",
      cure: "Make one of the fields nullable."),
    "one-of-fields": RuleExplanation(
      rule: "The fields of a `@oneOf` input object are nullable and have no default "
        + "value (section 3.10.1), and no extension has `@oneOf` (section 3.10).",
      cure: "Remove the `!` or the default value, or move `@oneOf` to the definition."),
    "deprecated-inputs": RuleExplanation(
      rule: "An input that a request must provide is not deprecated (section 3.13.3).",
      cure: "Make the input nullable, or give it a default value."),
    "directive-cycles": RuleExplanation(
      rule: "The definition of a directive does not use the directive, directly or "
        + "through the types and directives of its arguments (section 3.13).",
      cure: "Remove the directive from its own arguments."),
  ]
}
