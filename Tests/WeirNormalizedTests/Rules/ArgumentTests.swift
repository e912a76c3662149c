import Testing
import Weir
import WeirNormalized

/// The storage keys of fields with arguments (N2.1).
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct ArgumentTests {
  struct Pair: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let first: String
    var variables: JSONValue = [:]
    let second: String
    var others: JSONValue = [:]
    let isOne: Bool
  }

  static let pairs: [Pair] = [
    Pair(
      testDescription: "order", first: "{ f(a: 1, b: 2) }", second: "{ f(b: 2, a: 1) }", isOne: true
    ),
    Pair(
      testDescription: "order within objects", first: "{ f(o: {a: 1, b: {c: 2, d: 3}}) }",
      second: "{ f(o: {b: {d: 3, c: 2}, a: 1}) }", isOne: true),
    Pair(
      testDescription: "order of a list counts", first: "{ f(l: [1, 2]) }",
      second: "{ f(l: [2, 1]) }", isOne: false),
    Pair(
      testDescription: "null is not absent", first: "{ f(a: null) }", second: "{ f }", isOne: false),
    Pair(
      testDescription: "an absent variable is absent", first: "query($v: Int) { f(a: $v) }",
      second: "{ f }", isOne: true),
    Pair(
      testDescription: "an absent variable is absent, among others",
      first: "query($v: Int) { f(a: $v, b: 1) }", second: "{ f(b: 1) }", isOne: true),
    Pair(
      testDescription: "a null variable is null", first: "query($v: Int) { f(a: $v) }",
      variables: ["v": nil], second: "{ f(a: null) }", isOne: true),
    Pair(
      testDescription: "a default counts if absent", first: "query($v: Int = 3) { f(a: $v) }",
      second: "{ f(a: 3) }", isOne: true),
    Pair(
      testDescription: "a default does not count if null", first: "query($v: Int = 3) { f(a: $v) }",
      variables: ["v": nil], second: "{ f(a: 3) }", isOne: false),
    Pair(
      testDescription: "a default object", first: "query($v: O = {b: [1], a: RED}) { f(a: $v) }",
      second: "{ f(a: {a: RED, b: [1]}) }", isOne: true),
    Pair(
      testDescription: "literal and variable", first: "{ f(o: {t: \"x\", l: [1, true]}) }",
      second: "query($o: O) { f(o: $o) }", others: ["o": ["l": [1, true], "t": "x"]], isOne: true),
    Pair(
      testDescription: "variables within",
      first: "query($v: Int, $w: Int) { f(o: {a: $v, b: $w}, l: [$v]) }", variables: ["v": 1],
      second: "{ f(o: {a: 1}, l: [1]) }", isOne: true),
    Pair(
      testDescription: "an enum in a variable is a string", first: "{ f(c: RED) }",
      second: "query($c: C) { f(c: $c) }", others: ["c": "RED"], isOne: true),
    Pair(
      testDescription: "1 and \"1\" (defect 2)", first: "{ f(a: 1) }", second: "{ f(a: \"1\") }",
      isOne: false),
    Pair(
      testDescription: "two spellings of a number", first: "{ f(a: 1.50, b: 25e2) }",
      second: "query($a: Float, $b: Float) { f(a: $a, b: $b) }", others: ["a": 1.5, "b": 2500.0],
      isOne: true),
    Pair(
      testDescription: "numbers that differ in the last digit",
      first: "{ f(a: 0.10000000000000000001) }", second: "{ f(a: 0.1) }", isOne: false),
    Pair(
      testDescription: "numbers that are too large", first: "{ f(a: 1e999) }",
      second: "{ f(a: 2e999) }", isOne: false),
    Pair(
      testDescription: "null and \"null\" (defect 2)", first: "{ f(a: null) }",
      second: "{ f(a: \"null\") }", isOne: false),
    Pair(
      testDescription: "lists of strings (defect 2)", first: #"{ f(a: ["x, y"]) }"#,
      second: #"{ f(a: ["x", "y"]) }"#, isOne: false),
    Pair(
      testDescription: "separators in strings (defect 2)", first: #"{ f(a: "1,b:2") }"#,
      second: #"{ f(a: "1", b: "2") }"#, isOne: false),
    Pair(
      testDescription: "quotes in strings (defect 2)", first: #"{ f(a: "1\",\"b\":\"2") }"#,
      second: #"{ f(a: "1", b: "2") }"#, isOne: false),
    Pair(
      testDescription: "block strings", first: "{ f(a: \"\"\"x\"\"\") }", second: #"{ f(a: "x") }"#,
      isOne: true),
    Pair(
      testDescription: "é composed and decomposed", first: #"{ f(a: "\u00e9") }"#,
      second: #"{ f(a: "e\u0301") }"#, isOne: false),
    Pair(
      testDescription: "é composed and decomposed beside a variable",
      first: #"query($v: Int) { f(a: "\u00e9", b: $v) }"#, variables: ["v": 1],
      second: #"query($v: Int) { f(a: "e\u0301", b: $v) }"#, others: ["v": 1], isOne: false),
    Pair(
      testDescription: "é in variables", first: "query($v: S) { f(a: $v) }",
      variables: ["v": "\u{e9}"], second: "query($v: S) { f(a: $v) }", others: ["v": "e\u{301}"],
      isOne: false),
    Pair(
      testDescription: "escapes", first: #"{ f(a: "\u0041\n") }"#,
      second: "query($v: S) { f(a: $v) }", others: ["v": "A\n"], isOne: true),
    Pair(
      testDescription: "JSON's own characters in variables",
      first: "query($a: S, $b: O, $c: B, $d: S, $e: S) { f(a: $a, b: $b, c: $c, d: $d, e: $e) }",
      variables: [
        "a": "}],\"{:\\", "b": ["x": [[1], "]", "\\"], "y": [:], "z": []], "c": true, "e": "",
      ],
      second: #"{ f(a: "}],\"{:\\", b: {x: [[1], "]", "\\"], y: {}, z: []}, c: true, e: "") }"#,
      isOne: true),
    Pair(
      testDescription: "other field", first: "{ f(a: 1) }", second: "{ g: h(a: 1) }", isOne: false),
  ]

  @Test(
    "Two notations share a field exactly if their arguments have the same values (N2.1)",
    arguments: pairs)
  func arguments(_ pair: Pair) throws {
    let store = StoreKind.store()
    let first = GraphQLOperation(GraphQLDocument(pair.first), variables: pair.variables)
    let second = GraphQLOperation(GraphQLDocument(pair.second), variables: pair.others)
    try store.write(try JSON(parsing: #"{"f":1,"g":1}"#), for: first)
    #expect(store.read(first)?["f"]?.int == 1)
    #expect((store.read(second) != nil) == pair.isOne)
    try store.write(try JSON(parsing: #"{"f":2,"g":2}"#), for: second)
    #expect(store.read(first)?["f"]?.int == (pair.isOne ? 2 : 1))
  }

  @Test("Two arguments under two aliases; two spellings of é in one document (N2.1)")
  func aliases() async throws {
    try await Script(
      "aliases",
      [
        .write(
          #"query($v: Int) { a: f(x: "\u00e9", v: $v) b: f(x: "e\u0301", v: $v) c: f(x: $v) d: f(x: 1) }"#,
          ["v": 2], #"{"a":1,"b":2,"c":3,"d":4}"#),
        .read(
          #"{ a: f(x: "\u00e9", v: 2) b: f(x: "e\u0301", v: 2) c: f(x: 2) f(x: 1) }"#,
          #"{"a":1,"b":2,"c":3,"f":4}"#),
        .read(
          #"query($v: Int) { a: f(x: "\u00e9", v: $v) b: f(x: "e\u0301", v: $v) c: f(x: $v) d: f(x: 1) }"#,
          ["v": 2], #"{"a":1,"b":2,"c":3,"d":4}"#),
      ]
    ).run()
  }

  @Test("Only the declared key arguments count (N2.1)")
  func keyArguments() async throws {
    try await Script(
      "key arguments",
      [
        .write("{ f(type: A, first: 1) }", #"{"f":1}"#),
        .read("query($n: Int) { f(first: $n, type: A) }", ["n": 5], #"{"f":1}"#),
        .miss("{ f(type: B, first: 1) }"),
      ],
      configure: {
        var policy = FieldPolicy()
        policy.keyArguments = ["type"]
        $0.fields["Query.f"] = policy
      }
    ).run()
  }
}
