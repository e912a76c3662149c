import GraphQLLanguage
import GraphQLValidation

/// The plan of the Swift type for one selection set.
struct SelectionType {
  /// The name in Swift.
  let name: String
  /// The type of the objects that are selected.
  let type: SchemaType
  let role: Role
  /// Whether a result may contain many values of the type: in a list, or wherever a fragment is spread.
  let mayRepeat: Bool
  /// Whether the text selects the name of the object's type.
  var selectsTypename = false
  /// Whether the type is `Identifiable`.
  var isIdentifiable = false
  /// The fields and the spreads of fragments, in the order of the text.
  var members: [Member] = []
  /// The parts with a condition on an interface or a union.
  var abstractParts: [Part] = []
  /// The parts with a condition on an object type, which exclude each other.
  var objectParts: [Part] = []
  /// The cases for the types of these parts, without quotes.
  var cases: DistinctNames {
    DistinctNames(
      objectParts.map(\.type.type.name), reserved: SwiftName.reservedCases.union(["other"]),
      SwiftName.firstLower)
  }

  enum Role {
    /// The data of an operation, or a fragment on a root type, whose type has no name in the response.
    case root
    /// An object.
    case object
    /// The fields of a type condition, which are another view of an object.
    case part
  }

  enum Member {
    case field(SelectedField)
    case fragment(SpreadFragment)

    /// The name of the property, without quotes.
    var name: String {
      switch self {
      case .field(let field): field.property
      case .fragment(let fragment): fragment.property
      }
    }
  }

  /// The fields of a type condition.
  struct Part {
    let type: SelectionType
    let condition: Condition
  }

  var fields: [SelectedField] {
    members.compactMap { if case .field(let field) = $0 { field } else { nil } }
  }

  /// Whether the name of the object's type is known, and written with the fields.
  var writesTypename: Bool {
    role == .object && !type.isAbstract || role == .root && selectsTypename
  }

  /// Whether the name of the object's type is a property.
  var hasTypename: Bool { type.isAbstract && role == .object }
}

/// A property that stands for a field.
struct SelectedField {
  /// The key in the response.
  let key: String
  /// The name of the property, without quotes.
  let property: String
  let field: SchemaField
  /// Whether the operation selects the field under a condition only.
  let isConditional: Bool
  let content: Content
  /// The paths of the keys that tell whether the response has the selections of a conditional field:
  /// other parts may select the same field. Empty if nothing needs to be there.
  let keys: [String]

  indirect enum Content {
    case leaf
    /// The selection set consists of one fragment, whose Swift type has this name.
    case fragment(String)
    case type(SelectionType)
  }

  var isOptional: Bool { !field.type.isNonNull || isConditional }

  /// The type without its outer `!`.
  var type: TypeReference { field.type.nullable }
}

/// A property that stands for the spread of a fragment.
struct SpreadFragment {
  /// The name of its Swift type.
  let typeName: String
  /// The name of the property, without quotes.
  let property: String
  let condition: Condition
}

/// When a part of an object exists.
enum Condition {
  /// Always.
  case none
  /// If the operation's variables say so: if the keys are there.
  case keys([String])
  /// If the object has a type, and the keys are there; they are empty if the type is enough.
  case object(String, keys: [String])
  /// If the object has one of the types of an interface or a union. `of` is the type that the
  /// selection set is on.
  case abstract(String, of: String, keys: [String], isConditional: Bool)

  var isNone: Bool {
    if case .none = self { true } else { false }
  }
}
