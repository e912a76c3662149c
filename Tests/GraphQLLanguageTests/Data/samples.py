"""Documents, values and types that are written by hand, and what is wrong with others."""

EXECUTABLE = [
    "{a}", "{ a }", "query{a}", "query Q { a }", "mutation M{a}", "subscription S { a }",
    "query ($a: Int) { a }", "query Q($a: Int, $b: [Int!]! = [1 2]) @d { a }", "query @d { a }",
    "mutation { a }", "{ a: b }", "{ a: b(c: 1) @d { e } }", "{ ...F } fragment F on T { a }",
    "{ ... { a } }", "{ ... on T { a } }", "{ ... @d { a } }", "{ ...F@d(a:1) }",
    "{ on }", "{ a(on: on) }", "{ fragment query mutation subscription type schema extend }",
    "{ true false null }", "{ true: false(null: true) }", "{ ...fragment ...query ...true }",
    "query query { query }", "query on { on }", "mutation subscription { a }",
    "fragment query on fragment { on }", "{ a(x: 1.5e3, y: -0, z: 0.0, w: 1E+2) }",
    '{ a(x: "", y: "b", z: """c""") }', '{ a(x: {}, y: [], z: [[], {}]) }',
    "{ a(x: {b: {c: [1, {d: $e}]}}) }", "{ a(x: $y, z: [$y $y], w: {v: $y}) }",
    "{ a(x: RED, y: [RED GREEN], z: null, t: true, f: false) }",
    "{\ta\r\n,,,b\n#comment\nc#last\n}", "\ufeff{ a }", "{ a \ufeff b }", "#c\n{a}#c", "{a#\r\nb}",
    "{ a }\n\n\n{ b }", "query A { a } query B { b } fragment C on D { c }",
    "query ($a: Int = 1 @d(x: [1 {y: Z}]) @e, $b: S) { a }", "query ($a: [[[Int!]!]!]!) { a }",
    "{ a(b: \"\\u00e9 \\u{e9} \\u{1F600} \\uD83D\\uDE00 é 😀\") }",
    "{ a @skip(if: $x) @include(if: true) { b @a @b(c: D) } }",
    "{ veryLongFieldName(firstArgument: 1234567890, secondArgument: 12345678901, third: 12) }",
    "{ veryLongFieldName(firstArgument: 1234567890, secondArgument: 12345678901, third: 123) }",
    "{ veryLongFieldName(firstArgument: 1234567890, secondArgument: 12345678901, third: 1234) }",
    "{ alias: longFieldName(firstArgument: 123456789, secondArgument: 1234567890, third: 12345) }",
    "{ a { b { c { deep: longFieldName(firstArgument: 1234567890, second: 123456789, t: 1) } } } }",
    "{ a { b { c { deep: longFieldName(firstArgument: 1234567890, second: 1234567890, th: 1) { x } } } } }",
    "{ a(text: \"😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀\") }",
    "{ a(text: \"😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀\") }",
    "{ a(text: \"" + "é" * 69 + "\") }", "{ a(text: \"" + "é" * 70 + "\") }",
    "{ a(text: \"" + "é" * 71 + "\") }", "{ a { b(text: \"" + "\\u{1F600}" * 35 + "\") } }",
    '{ a { b(c: """\n  one\n\n    two\n""", d: 1) { e } } }',
    '{ a { b(c: """\n  one ' + "x" * 60 + '\n\n    two\n""", d: 1) { e } } }',
    '{ a { b(c: [{d: """\n  one\n  two\n"""}]) @e(f: """\n\n g\n  h\n""") { i } } }',
    'query ($a: String = """\n one\n two\n""", $b: Int) { a }',
    'query Q("text" $a: Int, """\nblock\n  text\n""" $b: Int = 1 @d) { a }',
    '"A query" query Q { a }', '"""\nA query\n\n  that asks\n""" query Q { a }',
    '"d" mutation { a } "e" subscription S { b } "f" fragment F on T { c }',
    '"" query { a }', '"""""" query { a }', '"d" query @x { a }', '"d" query ($a: Int) { a }',
    'query ("d" $a: Int) { a }', 'query ($a: Int, "d" $b: Int) { a }',
    "query Q @onQuery(a: 1) { a }",
    "{ a(x: 1)b(y: 2) }", "{a(x:1)...F@d...on T{b}}", "{a(x:[1,2])}",
    "{ a(x: 1 y: \"s\" z: \"t\") }", '{ a(x: """a""", y: """b""") }',
    "{ " + " ".join(f"field{i}" for i in range(200)) + " }",
    "{ a(x: \"" + "long " * 100 + "\") }",
    "{ a(" + " ".join(f"x{i}: {i}" for i in range(60)) + ") }",
    "{ a(x: [" + " ".join(str(i) for i in range(60)) + "]) }",
    "{a" * 60 + "}" * 60,
    "{ a(x: " + "[" * 60 + "]" * 60 + ") }", "{ a(x: " + "{y: " * 60 + "1" + "}" * 60 + ") }",
    "query ($a: " + "[" * 60 + "T" + "]!" * 60 + ") { a }",
    """
    # The kitchen sink: one of everything that can be executed.
    query Overview($id: ID! = "1", $site: Site = MOBILE @tag(name: "v"), $list: [[Int!]]! = [[1]])
    @onQuery {
      whoever: node(id: [123, 456], flag: true, nothing: null, number: -1.5e-3) {
        id,
        ... on User @onInline {
          field2 { id, alias: field1(first: 10, after: $foo) @include(if: $foo) { id, ...frag @x } }
        }
        ... @skip(unless: $foo) { id }
        ... { id }
      }
      long: search(text: "something that is long enough", filter: {site: $site, deep: {list: [1 2]}})
    }
    mutation LikeStory @onMutation { like(story: 123) @onField { story { id @onField } } }
    subscription StoryLikes($input: StoryLikeInput @onVariable) @onSubscription {
      storyLikes(input: $input) { story { likers { count } likeSentence { text } } }
    }
    fragment frag on Friend @onFragment {
      foo(size: $size, bar: $b, obj: {key: "value", block: \"\"\"

          block string uses \\\"""

      \"\"\"})
    }
    { unnamed(truthy: true, falsy: false, nullish: null), query }
    { __typename }
    """,
]

TYPE_SYSTEM = [
    "schema { query: Q }", "schema @d { query: Q mutation: M subscription: S }",
    '"d" schema { query: Q }', '"""d""" schema @a @b(c: 1) { query: Q }', "schema{query:Q,query:R}",
    "extend schema @d", "extend schema { query: Q }", "extend schema @d { mutation: M }",
    "scalar S { a }", "union U { A }", "scalar S", "scalar S @specifiedBy(url: \"https://example.com\")", '"d" scalar S',
    "extend scalar S @d", "type T", "type T { a: Int }", "type T @d", "type T implements I",
    "type T implements I & J { a: Int }", "type T implements & I & J @d { a: Int! b: [Int!]! }",
    "type T implements\n& I\n& J", "extend type T @d", "extend type T implements I",
    "extend type T { a: Int }", "extend type T implements & A & B @d { a: Int }",
    "type T { a(b: Int): Int }", "type T { a(b: Int = 1, c: [S!] = [\"x\"] @d): Int @e }",
    "type T { a(b: I = {c: {d: [E]}}): Int }", 'type T { "d" a: Int """e""" b: Int }',
    'type T { a("d" b: Int): Int }', 'type T { a("d" b: Int, c: Int): Int }',
    'type T { a("""\none\n  two\n""" b: Int = 1 @d, """x""" c: String = """\n1\n2\n"""): Int }',
    'type T { a(b: String = """\n1\n  2\n"""): Int }', 'type T { a(b: Int @d(e: """\n1\n2\n""")): Int }',
    "type type { type: type }", "type query { mutation: on }", "type implements implements implements",
    "interface I { a: Int }", "interface I implements J & K { a: Int }", "interface I",
    "interface I implements J", "extend interface I implements J", "extend interface I @d",
    "extend interface I { a: Int }", "extend interface I implements & J & K @d { a: Int }",
    "union U = A", "union U = A | B", "union U =\n| A\n| B", "union U @d = A | B", "union U",
    "union U @d", "extend union U = C", "extend union U @d", "extend union U @d = | C | D",
    "enum E { A }", "enum E { A B @deprecated C }", 'enum E { "d" A """e""" B @x(y: Z) }', "enum E",
    "enum E @d", "extend enum E { D }", "extend enum E @d", "extend enum E @d { D E }",
    "enum E { on query type input }", "input I { a: Int }", "input I { a: Int = 1 b: [I!] @d }",
    'input I @oneOf { "d" a: Int b: String = "x" @d }', "input I", "extend input I @d",
    "extend input I { a: Int }", "extend input I @d { a: Int b: S = E }",
    "directive @a on FIELD", "directive @a repeatable on FIELD", "directive @a on | FIELD | QUERY",
    "directive @a(b: Int = 1 @c, d: [Int!]) repeatable on FIELD | FRAGMENT_SPREAD",
    '"d" directive @a("e" b: Int) on FIELD', "directive @repeatable repeatable on QUERY",
    "directive @on on FIELD", "directive @a on" + " |".join(
        f" {name}" for name in """QUERY MUTATION SUBSCRIPTION FIELD FRAGMENT_DEFINITION
        FRAGMENT_SPREAD INLINE_FRAGMENT VARIABLE_DEFINITION SCHEMA SCALAR OBJECT FIELD_DEFINITION
        ARGUMENT_DEFINITION INTERFACE UNION ENUM ENUM_VALUE INPUT_OBJECT
        INPUT_FIELD_DEFINITION""".split()),
    "type T { a: Int } { a } extend type T { b: Int } fragment F on T { a }",
    "type " + "T" * 100 + " { " + "f" * 100 + "(" + "a" * 100 + ": Int): Int }",
    '"""\n  first\n    second\n\n  third\n""" type T { """\n\n  x \\""" y\n\n""" a: Int }',
    '''
    """
    The kitchen sink: one of everything that can be defined.
    """
    schema @link(url: "x") { query: QueryType mutation: MutationType }

    """
    This is a description
    of the `Foo` type.
    """
    type Foo implements Bar & Baz & Two {
      "Description of the `one` field."
      one: Type
      """
      This is a description of the `two` field.
      """
      two(
        """
        This is a description of the `argument` argument.
        """
        argument: InputType!
      ): Type
      """      This is a description of the `three` field.      """
      three(argument: InputType, other: String): Int
      four(argument: String = "string"): String
      five(argument: [String] = ["string", "string"]): String
      six(argument: InputType = {key: "value"}): Type
      seven(argument: Int = null): Type
      eight(argument: OneOfInputType): Type
    }
    type AnnotatedObject @onObject(arg: "value") {
      annotatedField(arg: Type = "default" @onArgumentDefinition): Type @onField
    }
    type UndefinedType
    extend type Foo { seven(argument: [String]): Type }
    extend type Foo @onType
    interface AnnotatedInterface @onInterface { annotatedField(arg: Type @onArg): Type @onField }
    extend interface Bar implements Two { two(argument: InputType!): Type }
    union AnnotatedUnionTwo @onUnion = | A | B
    extend union Feed = Photo | Video
    scalar AnnotatedScalar @onScalar
    extend scalar CustomScalar @onScalar
    enum Site { """ This is a description of the `DESKTOP` value """ DESKTOP @x """
      This is a description of the `MOBILE` value
      """ MOBILE "Web" WEB }
    extend enum Site { VR }
    input InputType { key: String! answer: Int = 42 }
    input OneOfInputType @oneOf { string: String int: Int }
    extend input InputType { other: Float = 1.23e4 @onInputFieldDefinition }
    """This is a description of the `@skip` directive"""
    directive @skip(
      """This is a description of the `if` argument"""
      if: Boolean! @onArgumentDefinition
    ) on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT
    directive @include2(if: Boolean!) on | FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT
    directive @repeatable(arg: String) repeatable on OBJECT | INTERFACE
    extend schema @onSchema { subscription: SubscriptionType }
    ''',
]

VALUES = [
    "0", "-0", "1", "-1", "9007199254740993", "123456789012345678901234567890", "0.0", "-0.5", "1.50",
    "1e5", "1E5", "1e+5", "1e-5", "1.5e300", "0e0", "-1.23E-45", "true", "false", "null", "RED", "on",
    "truex", "nullable", "$a", "$on", "$true", "[]", "[1]", "[1 2 3]", "[1, [2, [3]], $a]", "{}",
    "{a: 1}", "{a: 1 b: {c: 2}}", "{true: true, null: null}", '["a" """b""" "c"]', "{a: [{b: $c}]}",
    " 1 ", ",,1,,", "#c\n1#d",
]

STRINGS = [
    r'""', r'"a"', r'"\""', r'"\\"', r'"\/"', r'"\b\f\n\r\t"', r'"\u0041"', r'"\u00e9\u00E9"',
    r'"\u0000"', r'"\u{0}"', r'"\u{000041}"', r'"\u{1F600}"', r'"\u{10FFFF}"', r'"\uD83D\uDE00"',
    r'"\ud83d\ude00"', r'"\uDBFF\uDFFF"', r'"a\u{e9}b"', r'"\u{D7FF}\u{E000}"', r'"\\u0041"', '"\t"',
    '"\x00\x01\x7f\x80\x9f\xa0"', '"\u2028\u2029"', '"é€😀"', '"e\u0301"', '"# , {"', r'"\\\""',
    '"\u200d\ufeff"', '"\uffff\U0010ffff"', '""""""', '"""a"""', '"""a"b"""', '"""a""b"""',
    '"""\\""" """', '"""a\\"""b"""', '"""a\\b\\n"""',
    '""" a"""', '"""a """', '"""  a  """', '"""\na\n"""', '"""\n  a\n"""', '"""\n  a\n    b\n  c\n"""',
    '"""a\n  b\n  c"""', '"""a\n  b\n c"""', '"""  a\n  b"""', '"""  a\nb"""', '"""\n\n\na\n\n\n"""',
    '"""\n \n\t\n a\n \n"""', '"""\r\na\r\nb\rc\nd"""', '"""\n\ta\n\t\tb"""', '"""\n \ta\n\t b"""',
    '"""   """', '"""\n\n"""', '"""\n   \n  \n"""', '"""a\n\nb"""', '"""a\n \nb"""', '"""\n  a\n\n  b"""',
    '"""\n  a\n \n  b"""', '"""a\\\n"""', '"""a"\n"""', '"""\\"""a"""', '"""a\\"""\n"""', '"""é😀\n  é"""',
    '"""' + "x" * 70 + '"""', '"""' + "x" * 71 + '"""', '""" ' + "x" * 71 + '"""', '"""' + "😀" * 35 + '"""',
    '"""' + "😀" * 36 + '"""', '"""\x00\x01"""', '"""\n    a\n  b\n      c\n"""', '"""a\n  b"""',
    '"""a\n\n  b"""', '"""\x0b\n\x0c"""', '"""\u2028\n  \u2028"""', '"""a\\\\b"""', '"""\xa0a\n\xa0b"""',
]

TYPES = [
    "A", "A!", "[A]", "[A]!", "[A!]", "[A!]!", "[[A]]", "[[A!]!]!", " [ A ! ] ! ", "[,A,]", "on", "type",
    "[[[[[[A]]]]]]", "true", "_", "__Type", "#c\nA",
]

ERRORS = [
    # Documents
    "", " ", "\n\n", "#c", "\ufeff", ",", "a", "{", "}", "{}", "{ }", "{ a", "{ a {", "{ a { } }", "{{a}}",
    "{ a } }", "{ a } a", "quer { a }", "Query { a }", "query", "query Q", "query Q(", "query Q() { a }",
    "query Q {", "query Q { a", "query Q Q { a }", "query 1 { a }", "query { a } mutation",
    "notAnOperation Foo { field }", "subscription", "mutation {}", "query Q @ { a }", "query Q @d( { a }",
    "query Q @d() { a }", "{ a @d(b) }", "{ a @ }", "{ a @1 }", "{ a() }", "{ a( }", "{ a(b }", "{ a(b: }",
    "{ a(b:) }", "{ a(b: 1 }", "{ a(1: 1) }", "{ a(b: 1: 2) }", "{ a: }", "{ a: : b }", "{ a: b: c }",
    "{ : a }", "{ a(b: @) }", "{ a(b: :) }", "{ a(b: !) }", "{ a(b: ...) }", "{ a(b: |) }", "{ a(b: =) }",
    "query ($a) { b }", "query ($a:) { b }", "query (a: Int) { b }", "query ($: Int) { b }",
    "query ($1: Int) { b }", "query ($a: Int =) { b }", "query ($a: Int = $b) { c }",
    "query ($a: Int = [$b]) { c }", "query ($a: Int = {b: $c}) { d }", "query ($a: Int = $) { c }",
    "query ($a: Int = $1) { c }", "query ($a: Int @d(b: $c)) { d }", "query ($a: [Int) { b }",
    "query ($a: Int]) { b }", "query ($a: Int!!) { b }", "query ($a: []) { b }", "query ($a: [!]) { b }",
    "query ($a: [Int!) { b }", "query ($a: !) { b }", "query ($a: 1) { b }", "query ($a: $b) { c }",
    'query ("d") { a }', 'query ("d" a: Int) { a }',
    # Fragments
    "...", "... F", "{ ... }", "{ ...on }", "{ ...on T }", "{ ... on { a } }", "{ ...on on }", "{ ... @d }",
    "{ ... F { a } }", "{ ...1 }", "{ .. }", "{ . }", "{ ..a }", "{ ....a }", "{ .5 }", "fragment",
    "fragment on on on { on }", "fragment on on T { a }", "fragment F { a }", "fragment F on { a }",
    "fragment F on T", "fragment F on T {}", "fragment F T { a }", "fragment F on T on U { a }",
    "fragment F($a: Int) on T { a }", "{ ...F(a: 1) }", "fragment F of T { a }", "fragment 1 on T { a }",
    # Descriptions
    '"d"', '"""d"""', '"d" { a }', '"""d""" { a }', '"d" "e" query { a }', '"d" extend type T { a: Int }',
    '"""d""" extend schema @d', '"d" foo', '"d" 1', '"d" @d', '{ "d" a }', '{ a("d" b: 1) }',
    '{ "d" ...F }', '"d" }', '"d" "e"',
    # Characters and comments
    "?", "{ a ? }", "\x00", "{ a \x00 }", "{ a \x07 }", "{ a \x7f }", "{ é }", "{ aé }", "{ a € }", "{ a 😀 }",
    "{ 😀😀 ? }", "{ \"😀\" ? }", "{ a(b: \"😀😀\") ? }", "'", "{ a(b: 'c') }", "{ a(b: \\\"c\\\") }", "\\", "%",
    "*", "+", "/", ";", "<", ">", "^", "`", "~", "- ", "\u00a0{ a }", "{ a\u2028b }", "\u200b", "#c\n?",
    "#😀\r\n ?", "\r\r\n\n ?", "{\n  a\n  b ?\n}", "{\r  a\r  b ?\r}", "{\r\n  a\r\n  b ?\r\n}",
    "\ufeff\ufeff ?", "{ a }\n\n\n  }", "{ # }", "&", "|", "=", ":", "!", "$", "$a", "@", "@a", "(", ")", "[", "]",
    "1", "1.5", '"a" "b"', "{ a & b }", "{ a | b }", "{ a = b }", "{ a ! }", "{ $a }", "{ [a] }", "{ 1 }", '{ "a" }',
    '{ """a\nb""" ? }', '{ a(b: """\n\n😀""" ?) }', '{ a(b: "\\n" ?) }',
    # Numbers
    "{ a(b: 00) }", "{ a(b: 01) }", "{ a(b: -01) }", "{ a(b: 0x1) }", "{ a(b: 1a) }", "{ a(b: 1_000) }",
    "{ a(b: 1.) }", "{ a(b: 1.a) }", "{ a(b: 1..2) }", "{ a(b: 1.2.3) }", "{ a(b: .1) }", "{ a(b: -) }",
    "{ a(b: -a) }", "{ a(b: --1) }", "{ a(b: +1) }", "{ a(b: 1e) }", "{ a(b: 1e+) }", "{ a(b: 1e-a) }",
    "{ a(b: 1.0e) }", "{ a(b: 1.0e+) }", "{ a(b: 1ea) }", "{ a(b: 1e1.5) }", "{ a(b: 1e5e5) }", "{ a(b: 0e) }",
    "{ a(b: 1.5x) }", "{ a(b: 1...2) }", "{ a(b: -Infinity) }", "1.é", "-😀", "1.", "-",
    "1e", "1e+", "0.", "00", "0é",
    # Strings
    '"', '"a', '"a\n"', '"a\r"', '"\n', '"\\"', '"\\', '"a\\', '"\\a"', '"\\x41"', '"\\\'"', '"\\0"', '"\\ "', '"\\\n"',
    '"\\u"', '"\\u1"', '"\\u12"', '"\\u123"', '"\\u123', '"\\u', '"\\uXXXX"', '"\\u00GG"', '"\\u+041"', '"\\U0041"',
    '"\\uD800"', '"\\uDC00"', '"\\uD83D\\u0041"', '"\\uD83Dx"', '"\\uDE00\\uD83D"', '"\\uD83D\\uD83D"',
    '"\\uD83D\\n"', '"\\uD83D\\u{DE00}"', '"\\uD83D\\uDE0"', '"\\u{}"', '"\\u{', '"\\u{1', '"\\u{G}"', '"\\u{110000}"',
    '"\\u{D800}"', '"\\u{DFFF}"', '"\\u{1F600"', '"\\u{ 41}"', '"\\u{41 }"', '"\\u{000000041}"', '"\\u{0000000000041}"',
    '"\\u{12345678}"', '"\\é"', '"\\u00é0"', '{ a(b: "😀\\q") }', '{ a(b: "é\n") }', '{ a(b: "c) }', '"""', '"""a', '"""a"', '"""a""',
    '"""\n\n a', '"""\\"""', '"""a\\"""', '""""', '"""""', '{ a(b: """) }', '{ a\n(b: """\n😀\n',
    # Type system
    "schema", "schema {}", "schema { a }", "schema { query }", "schema { query: }", "schema { query: [Q] }",
    "schema { query: Q! }", "schema { foo: Q }", "schema { query: 1 }", "schema Q { query: Q }", "schema { query: Q",
    "scalar", "scalar 1", "scalar S = T", "scalar S @d(a: $b)", "type", "type {", "type T {}",
    "type T { a }", "type T { a: }", "type T { a: Int", "type T { a() : Int }", "type T { a(b): Int }",
    "type T { a(b:): Int }", "type T { a(b: Int =): Int }", "type T { a(b: Int = $c): Int }", "type T { a(b: Int: Int }",
    "type T { a: Int = 1 }", "type T { : Int }", "type T { a Int }", "type T { 1: Int }", "type T { a: Int @d(b: $c) }",
    "type T implements", "type T implements {}", "type T implements & {}", "type T implements I & { a: Int }",
    "type T implements & & I", "type T implements I J { a: Int }", "type T implements I, J { a: Int }",
    "type T implements I | J", "type T implements 1", 'type T { "d" }', 'type T { a: Int "d" }', 'type "d" T',
    "interface", "interface I {}", "interface I { a }", "interface I implements", "interface I implements I & ",
    "union", "union U =", "union U = |", "union U = | |", "union U = A B", "union U = A |", "union U = | | A",
    "union U = A || B", "union U = A & B", "union U = [A]", "union U = A!", "union U = 1",
    "enum", "enum E {}", "enum E { true }", "enum E { A false }", "enum E { null }", "enum E { 1 }", "enum E { A: 1 }",
    'enum E { "A" }', "enum E { A = 1 }", "enum E { A", 'enum E { "d" true }', "input", "input I {}", "input I { a }",
    "input I { a: }", "input I { a(b: Int): Int }", "input I { a: Int = }", "input I { a: Int = $b }",
    "input I implements J { a: Int }", "directive", "directive a on FIELD", "directive @ on FIELD", "directive @a",
    "directive @a on", "directive @a FIELD", "directive @a on field", "directive @a on FOO", "directive @a on |",
    "directive @a on FIELD |", "directive @a on FIELD | FOO", "directive @a on FIELD QUERY", "directive @a() on FIELD",
    "directive @a repeatable FIELD", "directive @a repeatable repeatable on FIELD", "directive @a on INCORRECT_LOCATION",
    "directive @a @b on FIELD", "directive @a on FIELD & QUERY",
    "extend", "extend {", "extend a", "extend query Q { a }", "extend fragment F on T { a }", "extend schema",
    "extend schema {}", "extend scalar", "extend scalar S", "extend type", "extend type T", "extend type T {}",
    "extend type T implements", "extend interface I", "extend union U", "extend union U =", "extend enum E",
    "extend enum E {}", "extend input I", "extend input I {}", "extend directive @a on FIELD", "extend extend type T",
    'extend "d" type T { a: Int }', "extend 1", 'extend "d"', "extend type T type U", "extend scalar S scalar T",
    "extend schema type T { a: Int }", "foo type T { a: Int }", "type T { a: Int } }", "type T = A",
]
