import GraphQLLanguage
import GraphQLValidation
import TestSupport
import Testing

/// Names that are suggested for misspelled ones.
@Suite struct SuggestionTests {
  private static let types = (0..<100).map { "type Repository\($0)Connection { id: ID }" }
    .joined(separator: " ")

  /// The messages of a rule that suggest a name, and those that do not.
  private func messages(
    of rule: String, _ schema: String, _ document: String? = nil
  ) throws -> (suggesting: [String], others: [String]) {
    let system = TypeSystem([try SourceFile(path: "s", parsing: schema)])
    let options = ValidationOptions(rules: [rule: .warning])
    let found = try document.map { document in
      system.validate([try SourceFile(path: "d", parsing: document)], options: options)
    }
    let findings = (found ?? system.validate()).filter { $0.rule == rule }
    for finding in findings {
      #expect(finding.suggestions.isEmpty != finding.message.contains("Did you mean"))
    }
    let messages = findings.map(\.message)
    return (
      messages.filter { $0.contains("Did you mean") },
      messages.filter { !$0.contains("Did you mean") }
    )
  }

  @Test func `Every reference to a few unknown types has suggestions (V3)`() throws {
    let fields = (0..<400).map { "a\($0): Repository\($0 % 2)Connexion" }.joined(separator: " ")
    let found = try messages(of: "known-types", "type Query { \(fields) } \(Self.types)")
    #expect(found.suggesting.count == 400 && found.others.isEmpty)
    #expect(Set(found.suggesting).count == 2)
  }

  @Test func `A type is suggested as a type, even if a field has its name (V3)`() throws {
    let found = try messages(
      of: "field-selections",
      """
      type Query { node: Node }
      interface Node { User: User }
      type User implements Node { User: User x: Int }
      """, "{ node { x } }")
    #expect(
      found.suggesting == [
        "Cannot query field \"x\" on type \"Node\". "
          + "Did you mean to use an inline fragment on \"User\"?"
      ])
  }

  @Test func `Only the first 50 unknown types of a rule have suggestions (V3)`() throws {
    let fields = (0..<90).map { "a\($0): Repository\($0)Connexion" }.joined(separator: " ")
    let found = try messages(of: "known-types", "type Query { \(fields) } \(Self.types)")
    #expect(found.suggesting.count == 50 && found.others.count == 40)
  }

  @Test(arguments: [
    ("field-selections", "{ q { value%s } }"), ("field-selections", "{ n { value%s } }"),
    ("field-selections", "{ n { value% } }"), ("argument-names", "{ f(value%s: 1) }"),
    ("values-of-correct-type", "{ f(i: {value%s: 1}) }"),
    ("values-of-correct-type", "{ f(e: value%s) }"),
    ("fragment-spread-type-existence", "{ ... on Repository%Connexion { id } }"),
    ("variables-are-input-types", "query($v: Repository%Connexion) { f }"),
  ])
  func `Only the first 50 unknown names of a rule have suggestions (V3)`(
    rule: String, pattern: String
  ) throws {
    let values = (0..<100).map { "value\($0): Int" }.joined(separator: " ")
    let schema = """
      type Query { q: Q n: N f(i: I, e: E, \(values)): Int }
      type Q { \(values) } interface N { other: Int \(values.replacing("value", with: "values")) }
      type A implements N { other: Int \(values) \(values.replacing("value", with: "values")) }
      input I { \(values) } enum E { \(values.replacing(": Int", with: "")) }
      \(Self.types)
      """
    func document(_ number: Int) -> String { pattern.replacing("%", with: "\(number)") }
    let text = (0..<70).map(document).joined(separator: " ")
    let found = try messages(of: rule, schema, text)
    #expect(found.suggesting.count == 50 && found.others.count == 20)
    let few = (0..<200).map { document($0 % 20) }.joined(separator: " ")
    let repeated = try messages(of: rule, schema, few)
    #expect(repeated.suggesting.count == 200 && repeated.others.isEmpty)
  }

  @Test func `Only the first 50 extensions of unknown types have suggestions (V3)`() throws {
    let extensions = (0..<70).map { "extend type Repository\($0)Connexion { a: Int }" }
    let schema = "type Query { a: Int } \(Self.types) \(extensions.joined(separator: " "))"
    let found = try messages(of: "type-extensions", schema)
    #expect(found.suggesting.count == 50 && found.others.count == 20)
  }

  @Test func `Similar names are those that few edits make equal (V1)`() {
    var random = SeededRandom(seed: 7)
    for _ in 0..<3_000 {
      let (name, other) = (random.name(), random.name())
      let threshold = name.count * 4 / 10 + 1
      let isSimilar = edits(Array(name.lowercased()), Array(other.lowercased())) <= threshold
      #expect(
        Suggestions.similar(to: name, among: [other]).isEmpty == !isSimilar, "\(name) \(other)")
    }
  }

  /// The number of edits, from the definition.
  private func edits(_ a: [Character], _ b: [Character]) -> Int {
    var table = Array(repeating: Array(repeating: 0, count: b.count + 1), count: a.count + 1)
    for i in 0...a.count {
      for j in 0...b.count {
        guard i > 0, j > 0 else {
          table[i][j] = i + j
          continue
        }
        let change = table[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
        table[i][j] = min(change, table[i - 1][j] + 1, table[i][j - 1] + 1)
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
          table[i][j] = min(table[i][j], table[i - 2][j - 2] + 1)
        }
      }
    }
    return table[a.count][b.count]
  }
}

extension SeededRandom {
  /// A name of a few letters, so that many names are similar.
  fileprivate mutating func name() -> String {
    let count = Int.random(in: 1...9, using: &self)
    return String((0..<count).map { _ in "abC".randomElement(using: &self) ?? "a" })
  }
}
