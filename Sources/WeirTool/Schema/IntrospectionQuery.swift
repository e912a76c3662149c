/// The queries for a schema, the newest first. A server refuses a query with fields that it does not
/// know.
enum IntrospectionQuery: CaseIterable {
  /// The specification of September 2025: `isOneOf`, and deprecated arguments and input fields.
  case september2025
  /// The drafts before it, as many servers have them: deprecated arguments and input fields, which they
  /// leave out unless they are asked for them.
  case draft
  /// The same for servers that cannot be asked for deprecated arguments of directives.
  case draftOfFields
  /// The same with another name for `specifiedByURL`. This is all that graphql-js 15 knows.
  case draftWithoutURL
  /// The specification of October 2021: `specifiedByURL`, `isRepeatable`, the description of the
  /// schema.
  case october2021
  /// The same without `specifiedByURL`, which is younger than the rest.
  case october2021WithoutURL
  /// The specification of June 2018.
  case june2018

  private var asksForDeprecatedInputs: Bool {
    [.september2025, .draft, .draftOfFields, .draftWithoutURL].contains(self)
  }

  private var asksForURL: Bool {
    [.september2025, .draft, .draftOfFields, .october2021].contains(self)
  }

  var text: String {
    let is2018 = self == .june2018
    let all = "(includeDeprecated: true)"
    let inputs = asksForDeprecatedInputs ? all : ""
    let directiveInputs = self == .september2025 || self == .draft ? all : ""
    return """
      query IntrospectionQuery {
        __schema {
          \(is2018 ? "" : "description")
          queryType { name } mutationType { name } subscriptionType { name }
          types { ...FullType }
          directives {
            name description \(is2018 ? "" : "isRepeatable")
            locations args\(directiveInputs) { ...InputValue }
          }
        }
      }
      fragment FullType on __Type {
        kind name description
        \(asksForURL ? "specifiedByURL" : "") \(self == .september2025 ? "isOneOf" : "")
        fields\(all) {
          name description args\(inputs) { ...InputValue } type { ...TypeRef }
          isDeprecated deprecationReason
        }
        inputFields\(inputs) { ...InputValue }
        interfaces { ...TypeRef }
        enumValues\(all) { name description isDeprecated deprecationReason }
        possibleTypes { ...TypeRef }
      }
      fragment InputValue on __InputValue {
        name description type { ...TypeRef } defaultValue
        \(asksForDeprecatedInputs ? "isDeprecated deprecationReason" : "")
      }
      fragment TypeRef on __Type { \(Self.reference(levels: 9)) }
      """
  }

  /// A type within lists and `!`, as many levels as other clients ask for.
  private static func reference(levels: Int) -> String {
    levels == 0 ? "kind name" : "kind name ofType { \(reference(levels: levels - 1)) }"
  }
}
