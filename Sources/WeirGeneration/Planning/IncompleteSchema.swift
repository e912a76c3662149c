import GraphQLLanguage
import GraphQLValidation

// Most mistakes of a schema change no code, so they are warnings. Without these definitions, a property
// would be missing or have another type.

extension TypeSystem {
  /// The message for a field whose type the schema does not define; `owner` is the type with the field.
  func undefinedType(
    _ type: TypeReference, of field: String, in owner: SchemaType, isScalar: Bool
  ) -> String {
    let name = type.namedType
    let definition = isScalar ? "\"scalar \(name)\"" : "its definition"
    return "The schema does not define the type \"\(name)\" of \(owner.name).\(field). Add "
      + "\(definition) to a *.graphqls file."
  }

  /// The message for a field that only an interface of the type has.
  func missingField(_ field: String, of type: SchemaType) -> String {
    "The schema does not define \(type.name).\(field), although an interface of \"\(type.name)\" "
      + "has the field. Add it to \"\(type.name)\" in a *.graphqls file."
  }
}
