import GraphQLLanguage
import GraphQLValidation
import TestSupport
import Testing

/// Documents that are made to need much time or a deep stack.
@Suite struct HostileDocumentTests {
  private let schema: TypeSystem

  init() throws {
    schema = TypeSystem([
      try SourceFile(
        path: "schema",
        parsing: "type Query { t: T } type T { a(n: Int): String b: String t: T u: T }")
    ])
  }

  private func rules(_ text: String) throws -> [String: Int] {
    let file = try SourceFile(path: "document", parsing: text)
    return Dictionary(schema.validate([file]).map { ($0.rule, 1) }, uniquingKeysWith: +)
  }

  @Test func `Many equal fields are compared with one of them (V3)`() throws {
    let fields = String(repeating: "t { a t { b } } ", count: 5_000)
    #expect(try rules("{ t { \(fields) } }").isEmpty)
  }

  @Test func `Many arguments and fields in another order are compared in little time (V3)`() throws
  {
    let names = (0..<50_000).map { "x\($0): 1" }
    let arguments = names.joined(separator: " ")
    let reversed = names.reversed().joined(separator: " ")
    let schema = TypeSystem([
      try SourceFile(path: "s", parsing: "scalar Any type Query { a(b: Any): Int }")
    ])
    let text = "{ a(b: {\(arguments)}) a(b: {\(reversed)}) }"
    let file = try SourceFile(path: "d", parsing: text)
    var found: [Diagnostic] = []
    let time = processorTime { found = schema.validate([file]) }
    #expect(found.isEmpty && time < .seconds(30))
    let other = "{ a(b: {x: 1 y: 1}) a(b: {y: 2 x: 1}) }"
    #expect(
      schema.validate([try SourceFile(path: "d", parsing: other)]).map(\.rule)
        == ["field-selection-merging"])
  }

  @Test func `Many directives with the same inputs are checked in little time (V3)`() throws {
    let directives = (0..<10_000).map { "directive @d\($0)(i: I) on FIELD" }
    let fields = (0..<10_000).map { "x\($0): Int" }
    let text =
      directives.joined(separator: " ") + " input I { \(fields.joined(separator: " ")) }"
      + " type Query { a: Int }"
    let schema = TypeSystem([try SourceFile(path: "s", parsing: text)])
    var found: [Diagnostic] = []
    let time = processorTime { found = schema.validate() }
    #expect(found.isEmpty && time < .seconds(30))
  }

  @Test func `Many fields that conflict give a limited number of findings (V3)`() throws {
    let fields = (0..<5_000).map { "a(n: \($0))" }.joined(separator: " ")
    #expect(try rules("{ t { \(fields) } }")["field-selection-merging"] == 435)
  }

  @Test func `Many united selection sets that conflict give a limited number of findings (V3)`()
    throws
  {
    let fields = (0..<2_000).map { "t { ...F a(n: \($0)) }" }.joined(separator: " ")
    let found = try rules("{ t { \(fields) } } fragment F on T { a }")
    #expect((400...3_000).contains(found["field-selection-merging"] ?? 0), "\(found)")
  }

  @Test func `A long chain of fragments is not checked from each of them (V3)`() throws {
    let fragments = (0..<2_000).map { "fragment F\($0) on T { a ...F\($0 + 1) }" }
    let text = "{ t { ...F0 } } \(fragments.joined(separator: " ")) fragment F2000 on T { a }"
    #expect(try rules(text)["field-selection-merging"] == 1)
  }

  @Test func `A large literal with many mistakes is not repeated in full (V3)`() throws {
    let schema = TypeSystem([
      try SourceFile(path: "s", parsing: "type Query { a(i: I): Int } input I { x: Int }")
    ])
    let fields = (0..<2_000).map { "unknownField\($0): 1" }.joined(separator: ", ")
    let file = try SourceFile(path: "d", parsing: "{ a(i: { \(fields) }) }")
    let found = schema.validate([file])
    #expect(found.count == 1_000)
    #expect(found.allSatisfy { $0.message.utf8.count < 1_200 })
  }

  @Test(arguments: longLiterals)
  func `A long literal is cut before it is written into a message (V3)`(literal: String) throws {
    let schema = TypeSystem([
      try SourceFile(path: "s", parsing: "type Query { a(b: Boolean): Int }")
    ])
    let file = try SourceFile(path: "d", parsing: "{ a(b: \(literal)) }")
    let message = try #require(schema.validate([file]).first).message
    let start = "Boolean cannot represent a non boolean value: "
    #expect(message.hasPrefix(start) && message.hasSuffix("…"))
    #expect(message.unicodeScalars.count == start.count + 1_001)
  }

  private static let longLiterals = {
    let long = String(repeating: "abcd", count: 2_000)
    let accents = String(repeating: "\u{301}", count: 5_000)
    let digits = String(repeating: "0", count: 5_000)
    return [
      "\"\(long)\"", "\"\"\"\(long)\"\"\"", "\"\"\"a\n\(long)\"\"\"", "[[\(long)]]",
      "{\(long): 1}", "1\(digits)", "1.\(digits)", "\"e\(accents)\"",
    ]
  }()

  @Test func `At most 1,000 errors of each rule are recorded, and all warnings (V3)`() throws {
    let wrong = String(repeating: "x ", count: 5_000)
    let text = "{ t { \(wrong) \(wrong) a b { c } } }"
    #expect(try rules(text) == ["field-selections": 1_000, "leaf-field-selections": 1])
    let file = try SourceFile(path: "document", parsing: text)
    let options = ValidationOptions(rules: ["field-selections": .warning])
    #expect(schema.validate([file], options: options).count == 10_001)
  }

  @Test func `At most 1,000 findings of each rule for schemas are recorded (V3)`() throws {
    let fields = (0..<2_000).map { "a\($0): Nope" }.joined(separator: " ")
    let text = "type Query { \(fields) } type Empty"
    let schema = TypeSystem([try SourceFile(path: "s", parsing: text)])
    for isStrict in [false, true] {
      let rules = schema.validate(strict: isStrict).map(\.rule)
      #expect(rules.count { $0 == "known-types" } == 1_000)
      #expect(rules.contains("non-empty-types"))
    }
  }

  @Test func `Fragments that double at each level are merged once (V3)`() throws {
    let fragments = (0..<200).map { level in
      "fragment F\(level) on T { a t { ...F\(level + 1) } u { ...F\(level + 1) } }"
    }
    let text = fragments.joined(separator: " ") + " fragment F200 on T { b } { t { ...F0 } }"
    #expect(try rules(text).isEmpty)
  }

  @Test func `A union of fragments that is different on each path has a limit (V3)`() throws {
    // On the way down, each of 2^40 paths collects another set of fragments.
    var text = "{ t { ...F0 } } fragment F40 on T { b }"
    for level in 0..<40 {
      text += " fragment F\(level) on T { t { ...F\(level + 1) ...X\(level)_\(level + 1) }"
      text += " u { ...F\(level + 1) } }"
      for depth in (level + 1)..<41 {
        let next =
          depth < 40 ? "t { ...X\(level)_\(depth + 1) } u { ...X\(level)_\(depth + 1) }" : "b"
        text += " fragment X\(level)_\(depth) on T { \(next) }"
      }
    }
    #expect(try rules(text) == ["field-selection-merging": 1])
  }

  @Test func `Long chains and cycles of fragments need no deep stack (V3)`() throws {
    let chain = (0..<5_000).map { "fragment F\($0) on T { a t { ...F\($0 + 1) } }" }
    let end = " fragment F5000 on T { b } { t { ...F0 } }"
    #expect(try rules(chain.joined(separator: " ") + end).isEmpty)
    let cycle = " fragment F5000 on T { ...F0 } { t { ...F0 } }"
    let found = try rules(chain.joined(separator: " ") + cycle)
    #expect(found == ["fragment-spreads-must-not-form-cycles": 1])
  }

  @Test func `A conflict behind many equal fields is found (V2)`() throws {
    let fields = String(repeating: "a ", count: 30)
    // The last field conflicts with each of the 30 that it is compared with.
    #expect(try rules("{ t { \(fields) a(n: 1) } }") == ["field-selection-merging": 30])
    let nested = String(repeating: "t { b } ", count: 40)
    #expect(try rules("{ t { \(nested) t { b: a } } }") == ["field-selection-merging": 30])
  }

  @Test func `A conflict between the fields of a type that many others precede is found (V2)`()
    throws
  {
    let types = (0..<40).map { "type T\($0) implements N { a(n: Int): Int }" }
    let schema = TypeSystem([
      try SourceFile(
        path: "s",
        parsing: types.joined(separator: " ")
          + " type Query { n: N } interface N { a(n: Int): Int }")
    ])
    let fields = (0..<40).map { "... on T\($0) { a(n: \($0)) }" }.joined(separator: " ")
    let valid = try SourceFile(path: "d", parsing: "{ n { \(fields) } }")
    #expect(schema.validate([valid]).isEmpty)
    let file = try SourceFile(path: "d", parsing: "{ n { \(fields) ... on T35 { a(n: 1) } } }")
    #expect(schema.validate([file]).map(\.rule) == ["field-selection-merging"])
  }

  @Test(arguments: [1, 14, 15, 16, 17, 60])
  func `A conflict far below the fields that unite it is found (V2)`(levels: Int) throws {
    let open = String(repeating: "t {", count: levels)
    let close = String(repeating: "}", count: levels)
    let text = "{ t { \(open) k: a \(close) } t { \(open) k: b \(close) } }"
    #expect(try rules(text) == ["field-selection-merging": 1])
  }

  @Test func `A conflict to which very many paths lead is reported in little time (V3)`() throws {
    var text = "{ t { ...A0 } t { ...A0 } t { ...A0 } t { ...B0 } t { ...B0 } t { ...B0 } }"
    for name in ["A", "B"] {
      for level in 0..<13 {
        let fields = String(repeating: "t { ...\(name)\(level + 1) } ", count: 3)
        text += " fragment \(name)\(level) on T { \(fields) }"
      }
    }
    text += " fragment A13 on T { k: a } fragment B13 on T { k: b }"
    // One conflict for each two of the outermost fields.
    #expect(try rules(text) == ["field-selection-merging": 9])
  }

  @Test func `A project may have many operations with the same fragments (V3)`() throws {
    let fields = (0..<10).map { "a\($0): a" }.joined(separator: " ")
    var text = "fragment S on T { \((0..<20).map { "...F\($0)" }.joined(separator: " ")) }"
    for number in 0..<20 { text += " fragment F\(number) on T { \(fields) }" }
    for number in 0..<1_000 { text += " query Q\(number) { t { ...S } }" }
    #expect(try rules(text).isEmpty)
  }

  @Test func `Nested default values of many input objects need no deep stack (V3)`() throws {
    // The innermost object leaves out the field with the next default value.
    let value = String(repeating: "{s:", count: 127) + "{}" + String(repeating: "}", count: 127)
    let types = (0..<250).map { "input T\($0) { s: T\($0) n: T\($0 + 1) = \(value) }" }
    let text = types.joined(separator: " ") + " input T250 { s: T250 } type Query { a: Int }"
    let schema = TypeSystem([try SourceFile(path: "s", parsing: text)])
    #expect(schema.validate().isEmpty)
  }
}
