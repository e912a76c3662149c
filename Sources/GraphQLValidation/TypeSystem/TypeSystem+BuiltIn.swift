import GraphQLLanguage

extension TypeSystem {
  /// The definitions that every schema has (specification, sections 3.5, 3.13 and 4), and directives
  /// that servers and clients understand although many schemas do not define them.
  static let builtIn: SourceFile = {
    // A mistake in the text below would show in every test.
    let document = (try? Document(parsing: builtInText)) ?? Document(definitions: [])
    return SourceFile(path: "built-in", document: document, text: builtInText)
  }()

  static let typenameField = rootField("__typename: String!")

  /// The fields of the query type for introspection (specification, section 4.1).
  static let queryFields = [
    "__schema": rootField("__schema: __Schema!"),
    "__type": rootField("__type(name: String!): __Type"),
  ]

  private static func rootField(_ text: String) -> SchemaField {
    let document = try? Document(parsing: "type Query { \(text) }")
    guard case .type(let type)? = document?.definitions.first, let field = type.fields.first else {
      preconditionFailure("The definition of a field for introspection is invalid: \(text)")
    }
    return SchemaField(definition: field, file: builtIn)
  }

  // A schema that uses `link__Purpose` and `link__Import` may define them. Otherwise nothing is known
  // about them, and no literal is refused.
  private static let builtInText = """
    scalar Int
    scalar Float
    scalar String
    scalar Boolean
    scalar ID
    directive @skip(if: Boolean!) on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT
    directive @include(if: Boolean!) on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT
    directive @deprecated(reason: String! = "No longer supported")
      on FIELD_DEFINITION | ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION | ENUM_VALUE
    directive @specifiedBy(url: String!) on SCALAR
    directive @oneOf on INPUT_OBJECT
    directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
    directive @stream(if: Boolean! = true, label: String, initialCount: Int! = 0) on FIELD
    directive @unmask on FRAGMENT_SPREAD
    directive @apollo_client_ios_localCacheMutation
      on QUERY | MUTATION | SUBSCRIPTION | FRAGMENT_DEFINITION
    directive @connection(key: String!, filter: [String!]) on FIELD
    directive @typePolicy(keyFields: String!, connectionFields: String) on OBJECT | INTERFACE
    directive @fieldPolicy(forField: String!, keyArgs: String, paginationMode: String)
      repeatable on OBJECT | INTERFACE
    directive @link(url: String!, as: String, for: link__Purpose, import: [link__Import])
      repeatable on SCHEMA
    type __Schema {
      description: String types: [__Type!]! queryType: __Type! mutationType: __Type
      subscriptionType: __Type directives: [__Directive!]!
    }
    type __Type {
      kind: __TypeKind! name: String description: String specifiedByURL: String
      fields(includeDeprecated: Boolean! = false): [__Field!] interfaces: [__Type!]
      possibleTypes: [__Type!] enumValues(includeDeprecated: Boolean! = false): [__EnumValue!]
      inputFields(includeDeprecated: Boolean! = false): [__InputValue!] ofType: __Type
      isOneOf: Boolean
    }
    enum __TypeKind { SCALAR OBJECT INTERFACE UNION ENUM INPUT_OBJECT LIST NON_NULL }
    type __Field {
      name: String! description: String
      args(includeDeprecated: Boolean! = false): [__InputValue!]!
      type: __Type! isDeprecated: Boolean! deprecationReason: String
    }
    type __InputValue {
      name: String! description: String type: __Type! defaultValue: String
      isDeprecated: Boolean! deprecationReason: String
    }
    type __EnumValue {
      name: String! description: String isDeprecated: Boolean! deprecationReason: String
    }
    type __Directive {
      name: String! description: String isRepeatable: Boolean! locations: [__DirectiveLocation!]!
      args(includeDeprecated: Boolean! = false): [__InputValue!]!
    }
    enum __DirectiveLocation {
      QUERY MUTATION SUBSCRIPTION FIELD FRAGMENT_DEFINITION FRAGMENT_SPREAD INLINE_FRAGMENT
      VARIABLE_DEFINITION SCHEMA SCALAR OBJECT FIELD_DEFINITION ARGUMENT_DEFINITION INTERFACE UNION
      ENUM ENUM_VALUE INPUT_OBJECT INPUT_FIELD_DEFINITION
    }
    """
}
