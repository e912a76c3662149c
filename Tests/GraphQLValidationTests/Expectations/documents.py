"""Schemas and documents for the comparison with graphql-core."""

PETS = """
interface Node { id: ID! }
interface Being { name(surname: Boolean): String }
interface Mammal { mother: Mammal father: Mammal }
interface Pet implements Being { name(surname: Boolean): String }
interface Canine implements Mammal & Being {
  name(surname: Boolean): String mother: Canine father: Canine
}
interface Intelligent { iq: Int }
enum DogCommand { SIT HEEL DOWN }
enum FurColor { BROWN BLACK TAN SPOTTED NO_FUR UNKNOWN }
type Dog implements Being & Pet & Mammal & Canine {
  name(surname: Boolean): String nickname: String barkVolume: Int barks: Boolean
  doesKnowCommand(dogCommand: DogCommand): Boolean isHouseTrained(atOtherHomes: Boolean = true): Boolean
  isAtLocation(x: Int, y: Int): Boolean mother: Dog father: Dog owner: Human
}
type Cat implements Being & Pet {
  name(surname: Boolean): String nickname: String meows: Boolean meowsVolume: Int furColor: FurColor
}
union CatOrDog = Cat | Dog
type Human implements Being & Intelligent {
  name(surname: Boolean): String pets: [Pet] relatives: [Human]! iq: Int
}
type Alien implements Being & Intelligent {
  name(surname: Boolean): String numEyes: Int iq: Int
}
union DogOrHuman = Dog | Human
union HumanOrAlien = Human | Alien
input ComplexInput {
  requiredField: Boolean! nonNullField: Boolean! = false intField: Int stringField: String
  booleanField: Boolean stringListField: [String] nested: ComplexInput
}
input OneOfInput @oneOf { stringField: String intField: Int }
type ComplicatedArgs {
  intArgField(intArg: Int): String nonNullIntArgField(nonNullIntArg: Int!): String
  stringArgField(stringArg: String): String booleanArgField(booleanArg: Boolean): String
  enumArgField(enumArg: FurColor): String floatArgField(floatArg: Float): String
  idArgField(idArg: ID): String stringListArgField(stringListArg: [String]): String
  stringListNonNullArgField(stringListNonNullArg: [String!]): String
  complexArgField(complexArg: ComplexInput): String oneOfArgField(oneOfArg: OneOfInput): String
  multipleReqs(req1: Int!, req2: Int!): String nonNullFieldWithDefault(arg: Int! = 0): String
  multipleOpts(opt1: Int = 0, opt2: Int = 0): String
  multipleOptAndReq(req1: Int!, req2: Int!, opt1: Int = 0, opt2: Int = 0): String
  anyArgField(any: Any): String invalidArgField(arg: Invalid): String
}
scalar Any
scalar Invalid
type Query {
  human(id: ID): Human alien: Alien dog: Dog cat: Cat pet: Pet catOrDog: CatOrDog
  dogOrHuman: DogOrHuman humanOrAlien: HumanOrAlien complicatedArgs: ComplicatedArgs
  findDog(searchBy: FindDogInput): Dog booleanList(booleanListArg: [Boolean!]): Boolean
  node(id: ID!): Node arguments: ComplicatedArgs
}
input FindDogInput { name: String owner: String }
type Mutation { rename(id: ID!, name: String!): Dog feed(dog: ID!): Boolean }
type Subscription { newMessage: Message disallowedSecondRootField: Boolean important: Important }
interface Important { priority: Int }
type Message { body: String sender: String }
directive @onField(x: Int) on FIELD
directive @onQuery on QUERY
directive @onMutation on MUTATION
directive @onSubscription on SUBSCRIPTION
directive @onFragmentDefinition on FRAGMENT_DEFINITION
directive @onFragmentSpread on FRAGMENT_SPREAD
directive @onInlineFragment on INLINE_FRAGMENT
directive @onVariableDefinition on VARIABLE_DEFINITION
directive @repeatable(n: Int) repeatable on FIELD | QUERY
directive @needs(a: Int!, b: ComplexInput) on FIELD | QUERY
"""

BOXES = """
interface SomeBox { deepBox: SomeBox unrelatedField: String }
type StringBox implements SomeBox {
  scalar: String deepBox: StringBox unrelatedField: String listStringBox: [StringBox]
  stringBox: StringBox intBox: IntBox
}
type IntBox implements SomeBox {
  scalar: Int deepBox: IntBox unrelatedField: String listStringBox: [StringBox]
  stringBox: StringBox intBox: IntBox
}
interface NonNullStringBox1 { scalar: String! }
type NonNullStringBox1Impl implements SomeBox & NonNullStringBox1 {
  scalar: String! unrelatedField: String deepBox: SomeBox
}
interface NonNullStringBox2 { scalar: String! }
type NonNullStringBox2Impl implements SomeBox & NonNullStringBox2 {
  scalar: String! unrelatedField: String deepBox: SomeBox
}
type Connection { edges: [Edge] }
type Edge { node: Node }
type Node { id: ID name: String }
type T { a: String b: String c: String d: String e: String x(n: Int): T y(n: Int): T z: [T] s: String }
schema { query: Root }
type Root { someBox: SomeBox connection: Connection t: T }
"""

# No mutation and no subscription type.
SMALL = "schema { query: Root } type Root { a(x: Int! = 1, y: [Int!]!): Int b: Root c: [E!]! } enum E { A B10 B9 }"

SCHEMAS = {"pets": PETS, "boxes": BOXES, "small": SMALL}

# Documents that mutations start from. They are all valid.
VALID = {
    "pets": [
        "{ dog { name nickname barkVolume ...F } } fragment F on Dog { owner { name } mother { name } }",
        "query Q($id: ID!, $c: DogCommand) { human(id: $id) { name pets { name ... on Dog { doesKnowCommand(dogCommand: $c) } } } }",
        "query Q($a: Boolean = true) { dog { isHouseTrained(atOtherHomes: $a) name(surname: $a) @include(if: $a) } }",
        "{ complicatedArgs { multipleOptAndReq(req1: 3, req2: 4, opt1: 5) nonNullIntArgField(nonNullIntArg: 2) } }",
        "{ complicatedArgs { complexArgField(complexArg: { requiredField: true, intField: 4, stringListField: [\"a\", \"b\"], nested: { requiredField: false } }) } }",
        "query ($s: String!) { complicatedArgs { oneOfArgField(oneOfArg: { stringField: $s }) enumArgField(enumArg: BROWN) } }",
        "{ catOrDog { __typename ... on Cat { meows furColor } ... on Dog { barks } ... on Pet { name } } humanOrAlien { ... on Being { name } ... on Intelligent { iq } } }",
        "subscription S { newMessage { ...M } } fragment M on Message { body sender }",
        "mutation M($id: ID!, $n: String = \"x\") { rename(id: $id, name: $n) { name nickname } feed(dog: $id) }",
        "query A { dog { ...D } } query B($x: Int) { dog { ...D isAtLocation(x: $x, y: 2) } } fragment D on Dog { name ...E } fragment E on Dog { nickname }",
        "query Q @onQuery { dog @onField(x: 1) { name @repeatable(n: 1) @repeatable(n: 2) ...F @onFragmentSpread ... @onInlineFragment { barks } } } fragment F on Dog @onFragmentDefinition { nickname }",
        "{ __schema { types { name fields(includeDeprecated: true) { name } } } __type(name: \"Dog\") { kind } }",
        "query ($ids: [String!], $b: [Boolean!]! = [true]) { complicatedArgs { stringListArgField(stringListArg: $ids) stringListNonNullArgField(stringListNonNullArg: $ids) } booleanList(booleanListArg: $b) }",
        "query Any($v: Any) { complicatedArgs { anyArgField(any: { a: [1, $v], b: null }) floatArgField(floatArg: 1) idArgField(idArg: 7) } }",
    ],
    "boxes": [
        "{ someBox { ... on IntBox { deepBox { scalar } } ... on StringBox { deepBox { unrelatedField } } } }",
        "{ t { a x(n: 1) { b y { c } } z { s } ...F } } fragment F on T { a x(n: 1) { d } e }",
        "{ connection { edges { node { id name } } } t { q: x(n: 1) { a } r: x(n: 2) { a } } }",
        "{ someBox { unrelatedField ... on StringBox { s: scalar other: stringBox { scalar } } ... on IntBox { other: stringBox { scalar } i: scalar } } }",
    ],
    "small": [
        "query Q($y: [Int!]!) { a(y: $y) b { c a(x: 2, y: 3) } }",
    ],
}

# Documents written by hand: rule by rule, valid and invalid ones.
HAND = {
    "pets": """
# executable definitions
query Q { dog { name } } type Cow { name: String } extend type Dog { color: String }
{ dog { name } } schema { query: Query } directive @x on FIELD
query Q { dog { name } } extend schema { query: Query }
# operation type existence, names
query A { dog { name } } query A { dog { name } } mutation A { feed(dog: 1) }
query A { dog { name } } subscription A { newMessage { body } }
query A { dog { name } } mutation B { feed(dog: 1) } query A { cat { name } } query A { cat { name } }
# lone anonymous
{ dog { name } } { cat { name } }
{ dog { name } } query Q { cat { name } }
mutation { feed(dog: 1) } subscription { newMessage { body } }
# single root field
subscription { newMessage { body } disallowedSecondRootField }
subscription S { ...A } fragment A on Subscription { newMessage { body } disallowedSecondRootField other: disallowedSecondRootField }
subscription S { __typename }
subscription { __typename newMessage { body } }
subscription S { a: newMessage { body } newMessage { sender } a: newMessage { sender } }
subscription S { newMessage { body } newMessage { sender } }
subscription S { newMessage @include(if: true) { body } }
subscription S($b: Boolean!) { ... @skip(if: $b) { newMessage { body } } disallowedSecondRootField @include(if: $b) }
subscription S($b: Boolean!) { ...F @skip(if: $b) } fragment F on Subscription { newMessage { body } }
subscription S { ... on Subscription { newMessage { body } } ... { newMessage { body } } }
subscription S { ...F } fragment F on Subscription { ...G ...F } fragment G on Subscription { newMessage { body } disallowedSecondRootField }
subscription S { ... on Query { dog { name } } newMessage { body } }
subscription S { unknown1 unknown2 }
# field selections
{ dog { unknown_field { deeper } } }
{ dog { meowVolume } }
{ dog { nam nicknam: nicknme barkVolum } }
{ pet { barkVolume } }
{ pet { nickname meows } }
{ catOrDog { name } }
{ catOrDog { nickname furColor } }
{ humanOrAlien { iq name } }
{ catOrDog { unrelated } }
{ dog { ...F } } fragment F on Dog { volume: barkVolum ... on Pet { tailLength } }
{ unknownRoot cat { __typename __schema { types } __type } __typ }
{ dog { __Typename } }
{ dog { name { deeper { deepest } } } }
# leaf fields
{ dog { barks { sinceWhen } } }
{ dog }
{ human { relatives pets } }
{ dog { doesKnowCommand(dogCommand: SIT) @include(if: true) { a } } }
{ dog { x: isHouseTrained(atOtherHomes: [true, {a: 1}]) @repeatable(n: 1) { sinceWhen } } }
{ catOrDog pet { name } }
{ complicatedArgs { stringArgField(stringArg: "a b { c") { x } } }
# argument names
{ dog { doesKnowCommand(command: SIT) } }
{ dog { doesKnowCommand(dogComand: SIT, extra: 1) isHouseTrained(atOtherHomes: true, unknown: $x) } }
{ dog @skip(unless: true) { name } }
{ dog { name @onField(y: 1) @include(iff: true) } }
{ __type(nam: "Dog") { name } }
{ unknownField(a: 1) }
query Q { dog { name @needs(a: 1, c: 2) } }
# argument uniqueness
{ dog { doesKnowCommand(dogCommand: SIT, dogCommand: HEEL) } }
{ dog { isAtLocation(x: 1, x: 2, x: 3, y: 1, y: 2) name @onField(x: 1, x: 2) } }
# required arguments
{ complicatedArgs { multipleReqs } }
{ complicatedArgs { multipleReqs(req1: "one") nonNullIntArgField nonNullFieldWithDefault } }
{ complicatedArgs { nonNullIntArgField(nonNullIntArg: null) } }
{ dog { name @include barks @skip(if: null) ... @include { nickname } } }
{ dog { name @needs } }
{ __type { name } }
{ node { id } }
mutation { rename(id: 1) { name } }
# fragments
{ dog { ...A ...A } } fragment A on Dog { name } fragment A on Dog { nickname }
{ dog { ...A } } fragment A on Dog { name } fragment B on Dog { name } fragment C on Dog { ...B }
{ dog { ...A } } fragment A on Dog { name } fragment A on Cat { name } fragment A on Dog { nickname }
{ dog { ...A ... on Dgo { name } } } fragment A on NotKnown { name }
query ($x: Strin, $y: [[DogComand!]]) { dog { ...Missing ... on Peet { name } } }
{ dog { ...A ... on String { x } ... on ComplexInput { requiredField } } } fragment A on DogCommand { bad }
fragment A on Boolean { bad } { dog { ...A } }
{ dog { ... on Dog @include(if: true) { ...A } } } fragment A on Dog { ...B } fragment B on Dog { ...A }
fragment A on Dog { ...A } { dog { ...A } }
fragment A on Human { relatives { ...A } } { human { ...A } }
fragment A on Dog { ...B ...C } fragment B on Dog { ...C } fragment C on Dog { ...A ...B } { dog { ...A } }
fragment A on Dog { ...B } fragment B on Dog { ...C ...D } fragment C on Dog { ...A } fragment D on Dog { mother { ...B ...D } } { dog { ...A } }
fragment A on Dog { ...A ...X } { dog { ...A } }
{ dog { ...Unknown1 ... { ...Unknown2 } } }
{ dog { ...C } cat { ...P } } fragment C on Cat { meows } fragment P on Pet { ...D } fragment D on Dog { barks }
{ dog { ... on Cat { meows } ... on CatOrDog { ... on Cat { meows } } ... on Intelligent { iq } } }
{ pet { ... on Human { name } ... on Being { name } ... on HumanOrAlien { __typename } ... on Intelligent { iq } } }
{ catOrDog { ...H ... on Pet { name } ... on Human { name } ... on Canine { name } } } fragment H on HumanOrAlien { ... on Dog { barks } }
{ human { ... on Being { ... on Cat { meows } } ...I } } fragment I on Intelligent { ...P } fragment P on Pet { name }
{ dog { ... { ... on Dog { ... on Canine { name } } } } }
# values
{ complicatedArgs { intArgField(intArg: "3") a: intArgField(intArg: 829384293849283498239482938) b: intArgField(intArg: 3.0) c: intArgField(intArg: 3.333) d: intArgField(intArg: FOO) } }
{ complicatedArgs { intArgField(intArg: -2147483648) a: intArgField(intArg: 2147483648) b: intArgField(intArg: true) c: intArgField(intArg: [1]) d: intArgField(intArg: {a: 1}) } }
{ complicatedArgs { stringArgField(stringArg: 1) a: stringArgField(stringArg: 1.0) b: stringArgField(stringArg: true) c: stringArgField(stringArg: BAR) d: stringArgField(stringArg: null) } }
{ complicatedArgs { booleanArgField(booleanArg: 2) a: booleanArgField(booleanArg: 1.0) b: booleanArgField(booleanArg: "true") c: booleanArgField(booleanArg: TRUE) } }
{ complicatedArgs { floatArgField(floatArg: "3.333") a: floatArgField(floatArg: true) b: floatArgField(floatArg: FOO) c: floatArgField(floatArg: 1e3) } }
{ complicatedArgs { idArgField(idArg: 1.0) a: idArgField(idArg: true) b: idArgField(idArg: SOMETHING) c: idArgField(idArg: "x") } }
{ dog { doesKnowCommand(dogCommand: 2) a: doesKnowCommand(dogCommand: 1.0) b: doesKnowCommand(dogCommand: "SIT") c: doesKnowCommand(dogCommand: true) d: doesKnowCommand(dogCommand: JUGGLE) e: doesKnowCommand(dogCommand: sit) } }
{ complicatedArgs { stringListArgField(stringListArg: ["one", 2]) a: stringListArgField(stringListArg: 1) b: stringListArgField(stringListArg: ["one", null]) c: stringListNonNullArgField(stringListNonNullArg: ["a", null, [1]]) } }
{ complicatedArgs { nonNullIntArgField(nonNullIntArg: null) multipleReqs(req1: "two", req2: "one") } }
{ complicatedArgs { complexArgField(complexArg: {intField: 4}) a: complexArgField(complexArg: {stringListField: ["one", 2], requiredField: true}) b: complexArgField(complexArg: {requiredField: true, nonNullField: null}) } }
{ complicatedArgs { complexArgField(complexArg: {requiredField: true, invalidField: "value"}) a: complexArgField(complexArg: "x") b: complexArgField(complexArg: {requiredField: true, nested: {intFeld: 4}}) } }
{ complicatedArgs { complexArgField(complexArg: [{requiredField: true}]) a: complexArgField(complexArg: {requiredField: true, intField: 1, intField: "2"}) } }
{ complicatedArgs { complexArgField(complexArg: {requiredField: true, nested: {requiredField: true, requiredField: false, nested: {}}}) } }
{ complicatedArgs { oneOfArgField(oneOfArg: {stringField: "abc", intField: 1}) a: oneOfArgField(oneOfArg: {stringField: null}) b: oneOfArgField(oneOfArg: {}) c: oneOfArgField(oneOfArg: {other: 1}) d: oneOfArgField(oneOfArg: {stringField: 1}) e: oneOfArgField(oneOfArg: {stringField: "abc"}) } }
{ complicatedArgs { anyArgField(any: {a: 1, a: 2, b: [{c: 1, c: 1}]}) invalidArgField(arg: 123) } }
query ($s: String, $i: Int!) { complicatedArgs { oneOfArgField(oneOfArg: {stringField: $s}) a: oneOfArgField(oneOfArg: {intField: $i}) b: oneOfArgField(oneOfArg: {stringField: $s, intField: $i}) } }
query ($a: Int = 1, $b: String = "ok", $c: ComplexInput = {requiredField: true, intField: 3}, $d: Int! = 123) { dog { isAtLocation(x: $a, y: $d) name } complicatedArgs { complexArgField(complexArg: $c) stringArgField(stringArg: $b) } }
query ($a: Int! = null, $b: String! = null, $c: ComplexInput = {requiredField: null, intField: null}, $d: [String!] = ["x", null, 1]) { dog { name } }
query ($a: Int = "one", $b: String = 4, $c: ComplexInput = "notverycomplex", $e: DogCommand = SITT) { dog { name } }
query ($a: ComplexInput = {requiredField: 123, intField: "abc"}, $b: ComplexInput = {intField: 3}, $c: [String] = ["one", 2]) { dog { name } }
{ dog @include(if: "yes") { name @skip(if: ENUM) } }
{ complicatedArgs { stringArgField(stringArg: \"\"\"block\"\"\") a: intArgField(intArg: \"\"\"one two\"\"\") } }
{ findDog(searchBy: {name: 1, nme: "x", owner: ["a"]}) { name } }
# directives
{ dog @unknown(directive: "value") { name @alsoUnknown } }
query Q @onField { dog @onQuery { ...F @onField ... @onFragmentSpread { name } } } fragment F on Dog @onInlineFragment { name }
mutation M @onQuery { feed(dog: 1) @onMutation }
subscription S @onSubscription { newMessage @onSubscription { body } }
query ($v: Boolean @onVariableDefinition, $w: Boolean @onField) @skip(if: true) { dog { name(surname: $v) n: name(surname: $w) } }
{ dog @skip(if: true) @skip(if: false) { name @repeatable @repeatable @onField @onField @onField } }
query Q @onQuery @onQuery { dog { ...F @onFragmentSpread @onFragmentSpread } } fragment F on Dog { name }
{ dog { name @deprecated @specifiedBy(url: "x") @oneOf } }
# variables
query ($x: Int, $x: Int, $y: String, $x: String) { dog { isAtLocation(x: $x) } complicatedArgs { stringArgField(stringArg: $y) } }
query Q($a: Dog, $b: [[CatOrDog!]]!, $c: Pet!) { dog { name } }
query Q($a: Int) { dog { isAtLocation(x: $a, y: $b) ...F } } fragment F on Dog { name(surname: $c) ...G } fragment G on Dog { n: name(surname: $d) }
{ dog { isAtLocation(x: $a) name @include(if: $b) } }
query Q { dog { ...F } } query R($x: Boolean) { dog { ...F } } fragment F on Dog { name(surname: $x) }
query Q($a: Int, $b: Int, $c: Int) { dog { isAtLocation(x: $b) } }
query ($a: Int, $b: Int) { dog { ...F } } fragment F on Dog { isAtLocation(x: $b) }
query ($a: String) { dog { unknown(x: $a) name(other: {x: [$a]}) } }
query ($a: Int) { complicatedArgs { nonNullIntArgField(nonNullIntArg: $a) } }
query ($a: Int = 1, $b: Int = null) { complicatedArgs { nonNullIntArgField(nonNullIntArg: $a) x: nonNullIntArgField(nonNullIntArg: $b) nonNullFieldWithDefault(arg: $b) } }
query ($a: String) { dog { isAtLocation(x: $a) } complicatedArgs { stringListArgField(stringListArg: $a) x: stringListArgField(stringListArg: [$a]) } }
query ($a: [String], $b: String!) { complicatedArgs { stringArgField(stringArg: $a) stringListNonNullArgField(stringListNonNullArg: $a) x: stringListNonNullArgField(stringListNonNullArg: [$b]) } }
query ($a: Boolean, $b: Boolean!) { dog { name @include(if: $a) barks @skip(if: $b) } }
query ($a: Int, $b: Boolean) { complicatedArgs { complexArgField(complexArg: {requiredField: $b, intField: $a, nested: {requiredField: $a, stringListField: [$a]}}) } }
query ($a: ComplexInput!, $c: Boolean) { complicatedArgs { complexArgField(complexArg: $a) x: complexArgField(complexArg: {requiredField: true, nonNullField: $c}) } }
query ($a: Int) { dog { ...F } } fragment F on Dog { name(surname: $a) ...G } fragment G on Dog { barks @include(if: $a) }
query ($b: [Boolean]) { booleanList(booleanListArg: $b) }
query ($b: [Boolean!]) { booleanList(booleanListArg: $b) }
query ($s: String) { complicatedArgs { oneOfArgField(oneOfArg: {stringField: $s}) enumArgField(enumArg: $s) anyArgField(any: {x: $s}) } }
query ($u: Unknown, $d: [Dog]) { dog { isAtLocation(x: $u, y: $d) } }
query ($e: DogCommand = HEEL) { dog { doesKnowCommand(dogCommand: $e) n: doesKnowCommand(dogCommand: [SIT]) } }
\"\"\"a description\"\"\" query Q("of a variable" $unused: Int) { dog { name } } "of a fragment" fragment F on Dog { name }
""",
    "boxes": """
# merging
{ t { x: a x: b } }
{ t { x: a x: a x: b x: b x: c } }
{ t { a a: b } }
{ t { x(n: 1) { a } x(n: 2) { a } } }
{ t { x { a } x(n: 2) { a } } }
{ t { x(n: 1) { a } x { a } } }
{ t { ...A ...B } } fragment A on T { x: a } fragment B on T { x: b }
{ t { ...A x { ...A ...B } y { ...B ...C x: c } } } fragment A on T { k: a } fragment B on T { k: b } fragment C on T { k: c }
{ t { x { k: a } x { k: b } } }
{ t { x { k: a l: c } x { k: b l: d } } }
{ t { x { y { k: a } } x { y { k: b } } } }
{ t { x { y { k: a } y { k: b } } x { y { a } } } }
{ t { x { ...F } x { ...G } } } fragment F on T { y { k: a } } fragment G on T { y { k: b } }
{ t { x { ...F } x { ...G } } } fragment F on T { y { k: a ...I } } fragment G on T { y { ...J } } fragment I on T { l: c } fragment J on T { k: b l: d }
{ t { ...A ...B } } fragment A on T { ...A2 } fragment A2 on T { k: a } fragment B on T { ...B2 } fragment B2 on T { k: b }
{ t { ...A k: b } } fragment A on T { k: a }
{ t { k: b ...A } } fragment A on T { k: a ...B } fragment B on T { k: c }
{ t { ...A ...A } } fragment A on T { x { k: a } x { k: b } }
{ t { ... on T { k: a } ... { k: b } } }
{ t { ...A } u: t { ...B } } fragment A on T { k: a k: b } fragment B on T { ...A k: c }
{ someBox { ... on IntBox { scalar } ... on StringBox { scalar } } }
{ someBox { ... on IntBox { scalar: unrelatedField } ... on StringBox { scalar } } }
{ someBox { ... on SomeBox { deepBox { unrelatedField } } ... on StringBox { deepBox { u: unrelatedField } } } }
{ someBox { ... on IntBox { deepBox { scalar } } ... on StringBox { deepBox { scalar } } } }
{ someBox { ... on IntBox { s: unrelatedField } ... on StringBox { s: scalar } } }
{ someBox { ... on IntBox { box: listStringBox { scalar } } ... on StringBox { box: stringBox { scalar } } } }
{ someBox { ... on IntBox { box: stringBox { scalar } } ... on StringBox { box: listStringBox { scalar } } } }
{ someBox { ... on IntBox { box: stringBox { val: scalar val: unrelatedField } } ... on StringBox { box: stringBox { val: scalar } } } }
{ someBox { ... on IntBox { box: stringBox { scalar } } ... on StringBox { box: intBox { scalar } } } }
{ someBox { ... on IntBox { box: stringBox { u: unrelatedField } } ... on StringBox { box: intBox { u: unrelatedField } } } }
{ someBox { ... on NonNullStringBox1 { scalar } ... on StringBox { scalar } } }
{ someBox { ... on NonNullStringBox1 { scalar } ... on NonNullStringBox2 { scalar } } }
{ someBox { ... on NonNullStringBox1Impl { scalar } ... on StringBox { scalar } } }
{ someBox { ... on IntBox { deepBox { x: unrelatedField } } ... on SomeBox { deepBox { x: deepBox { unrelatedField } } } } }
{ connection { ...F edges { node { id: name } } } } fragment F on Connection { edges { node { id } } }
{ someBox { ... on UnknownType { scalar } ... on NonNullStringBox2 { scalar } } }
{ t { ...A ...B ...C } } fragment A on T { k: a } fragment B on T { k: b } fragment C on T { k: c }
{ t { x(n: 1) { a } ...A } } fragment A on T { x(n: 1) { a } x(n: 3) { a: b } }
query ($n: Int, $m: Int) { t { x(n: $n) { a } x(n: $m) { a } y(n: $n) { a } y(n: $n) { b } } }
{ t { z { k: a } z { k: s } } }
{ t { z { a } z: x { a } } }
fragment F on T { k: a ...F k: b } { t { ...F } }
fragment F on T { x { ...F k: a } } fragment G on T { x { k: b ...F } } { t { ...F ...G } }
{ t { x { k: a } ...F } } fragment F on T { x { k: b } y { x { k: a } } ...G } fragment G on T { y { x { k: c } } }
{ t { unknown: a unknown: nope nope(a: 1) nope(a: 2) } }
""",
    "small": """
mutation { a }
subscription { a }
mutation M { a } query Q { b { c } }
{ a(x: null, y: [1, null]) c b { a(y: 1) a(y: [1]) } }
{ a(y: $a) }
query ($x: Int, $y: [Int]) { a(x: $x, y: $y) }
query ($x: E = B1, $y: [E!] = [A, B8]) { c }
{ aa bb { ccc } }
query ($r: Root, $i: Integr, $e: EE) { c }
query Q { a(y: {}) b { a(y: [[1]]) } }
""",
}

# The examples of section 5 of the specification, as far as they are for a schema of their own.
SPECIFICATION = """
type Query { dog: Dog findDog(searchBy: FindDogInput): Dog pet: Pet catOrDog: CatOrDog human: Human
  arguments: Arguments booleanList(booleanListArg: [Boolean!]): Boolean field(arg: String): String }
type Mutation { addPet(pet: PetInput!): Pet addPets(pets: [PetInput!]!): [Pet] }
type Subscription { newMessage: Message disallowedSecondRootField: Boolean }
type Message { body: String sender: String }
enum DogCommand { SIT DOWN HEEL }
type Dog implements Pet { name: String! nickname: String barkVolume: Int
  doesKnowCommand(dogCommand: DogCommand!): Boolean! isHouseTrained(atOtherHomes: Boolean): Boolean! owner: Human }
interface Sentient { name: String! }
interface Pet { name: String! }
type Alien implements Sentient { name: String! homePlanet: String }
type Human implements Sentient { name: String! pets: [Pet!] }
enum CatCommand { JUMP }
type Cat implements Pet { name: String! nickname: String doesKnowCommand(catCommand: CatCommand!): Boolean! meowVolume: Int }
union CatOrDog = Cat | Dog
union DogOrHuman = Dog | Human
union HumanOrAlien = Human | Alien
input FindDogInput { name: String owner: String }
input CatInput { name: String! nickname: String meowVolume: Int }
input DogInput { name: String! nickname: String barkVolume: Int }
input PetInput @oneOf { cat: CatInput dog: DogInput }
type Arguments { multipleRequirements(x: Int!, y: Int!): Int! booleanArgField(booleanArg: Boolean): Boolean
  floatArgField(floatArg: Float): Float intArgField(intArg: Int): Int
  nonNullBooleanArgField(nonNullBooleanArg: Boolean!): Boolean! booleanListArgField(booleanListArg: [Boolean]!): [Boolean]
  optionalNonNullBooleanArgField(optionalBooleanArg: Boolean! = false): Boolean!
  nonNullBooleanListField(nonNullBooleanListArg: [Boolean!]!): [Boolean] }
"""

SPECIFICATION_EXAMPLES = """
query getDogName { dog { name color } } extend type Dog { color: String }
query getDogName { dog { name } } query getOwnerName { dog { owner { name } } }
query getName { dog { name } } query getName { dog { owner { name } } }
query dogOperation { dog { name } } mutation dogOperation { addPet(pet: {cat: {name: "x"}}) { name } }
{ dog { name } }
{ dog { name } } query getName { dog { owner { name } } }
subscription sub { newMessage { body sender } }
subscription sub { ...newMessageFields } fragment newMessageFields on Subscription { newMessage { body sender } }
subscription sub { newMessage { body sender } disallowedSecondRootField }
subscription sub { ...multipleSubscriptions } fragment multipleSubscriptions on Subscription { newMessage { body sender } disallowedSecondRootField }
subscription requiredRuntimeValidation($bool: Boolean!) { newMessage @include(if: $bool) { body sender } disallowedSecondRootField @skip(if: $bool) }
subscription sub { __typename }
{ dog { ...fieldNotDefined ...aliasedLyingFieldTargetNotDefined } } fragment fieldNotDefined on Dog { meowVolume } fragment aliasedLyingFieldTargetNotDefined on Dog { barkVolume: kawVolume }
{ pet { ...interfaceFieldSelection ...definedOnImplementersButNotInterface } } fragment interfaceFieldSelection on Pet { name } fragment definedOnImplementersButNotInterface on Pet { nickname }
{ catOrDog { ...inDirectFieldSelectionOnUnion ...directFieldSelectionOnUnion } } fragment inDirectFieldSelectionOnUnion on CatOrDog { __typename ... on Pet { name } ... on Dog { barkVolume } } fragment directFieldSelectionOnUnion on CatOrDog { name barkVolume }
{ dog { ...mergeIdenticalFields ...mergeIdenticalAliasesAndFields } } fragment mergeIdenticalFields on Dog { name name } fragment mergeIdenticalAliasesAndFields on Dog { otherName: name otherName: name }
{ dog { ...conflictingBecauseAlias } } fragment conflictingBecauseAlias on Dog { name: nickname name }
query q($dogCommand: DogCommand!) { dog { ...mergeIdenticalFieldsWithIdenticalArgs ...mergeIdenticalFieldsWithIdenticalValues } } fragment mergeIdenticalFieldsWithIdenticalArgs on Dog { doesKnowCommand(dogCommand: SIT) doesKnowCommand(dogCommand: SIT) } fragment mergeIdenticalFieldsWithIdenticalValues on Dog { x: doesKnowCommand(dogCommand: $dogCommand) x: doesKnowCommand(dogCommand: $dogCommand) }
query q($commandOne: DogCommand!, $commandTwo: DogCommand!) { dog { ...conflictingArgsOnValues ...conflictingArgsValueAndVar ...conflictingArgsWithVars ...differingArgs } } fragment conflictingArgsOnValues on Dog { doesKnowCommand(dogCommand: SIT) doesKnowCommand(dogCommand: HEEL) } fragment conflictingArgsValueAndVar on Dog { a: doesKnowCommand(dogCommand: SIT) a: doesKnowCommand(dogCommand: $commandOne) } fragment conflictingArgsWithVars on Dog { b: doesKnowCommand(dogCommand: $commandOne) b: doesKnowCommand(dogCommand: $commandTwo) } fragment differingArgs on Dog { c: doesKnowCommand(dogCommand: SIT) c: doesKnowCommand }
{ pet { ...safeDifferingFields ...safeDifferingArgs } } fragment safeDifferingFields on Pet { ... on Dog { volume: barkVolume } ... on Cat { volume: meowVolume } } fragment safeDifferingArgs on Pet { ... on Dog { doesKnowCommand(dogCommand: SIT) } ... on Cat { doesKnowCommand(catCommand: JUMP) } }
{ pet { ...conflictingDifferingResponses } } fragment conflictingDifferingResponses on Pet { ... on Dog { someValue: nickname } ... on Cat { someValue: meowVolume } }
{ dog { ...scalarSelection ...scalarSelectionsNotAllowedOnInt } } fragment scalarSelection on Dog { barkVolume } fragment scalarSelectionsNotAllowedOnInt on Dog { barkVolume { sinceWhen } }
query directQueryOnObjectWithoutSubFields { human } query directQueryOnInterfaceWithoutSubFields { pet } query directQueryOnUnionWithoutSubFields { catOrDog }
{ dog { ...argOnRequiredArg ...argOnOptional ...invalidArgName ...invalidArgName2 } } fragment argOnRequiredArg on Dog { doesKnowCommand(dogCommand: SIT) } fragment argOnOptional on Dog { isHouseTrained(atOtherHomes: true) @include(if: true) } fragment invalidArgName on Dog { k: doesKnowCommand(command: CLEAN_UP_HOUSE) } fragment invalidArgName2 on Dog { i: isHouseTrained(atOtherHomes: true) @include(unless: false) }
{ arguments { multipleRequirements(x: 1, y: 2) a: multipleRequirements(y: 1, x: 2) nonNullBooleanArgField(nonNullBooleanArg: true) booleanArgField b: nonNullBooleanArgField c: nonNullBooleanArgField(nonNullBooleanArg: null) optionalNonNullBooleanArgField } }
{ dog { ...fragmentOne ...fragmentTwo } } fragment fragmentOne on Dog { name } fragment fragmentTwo on Dog { owner { name } }
{ dog { ...fragmentOne } } fragment fragmentOne on Dog { name } fragment fragmentOne on Dog { owner { name } }
{ dog { ...correctType ...inlineFragment ...inlineFragment2 ...notOnExistingType ...inlineNotExistingType } } fragment correctType on Dog { name } fragment inlineFragment on Dog { ... on Dog { name } } fragment inlineFragment2 on Dog { ... @include(if: true) { name } } fragment notOnExistingType on NotInSchema { name } fragment inlineNotExistingType on Dog { ... on NotInSchema { name } }
{ dog { ...fragOnObject ...fragOnInterface ...fragOnUnion ...fragOnScalar ...inlineFragOnScalar } } fragment fragOnObject on Dog { name } fragment fragOnInterface on Pet { name } fragment fragOnUnion on CatOrDog { ... on Dog { name } } fragment fragOnScalar on Int { something } fragment inlineFragOnScalar on Dog { ... on Boolean { somethingElse } }
fragment nameFragment on Dog { name } { dog { name } }
{ dog { ...undefinedFragment } }
{ dog { ...nameFragment } } fragment nameFragment on Dog { name ...barkVolumeFragment } fragment barkVolumeFragment on Dog { barkVolume ...nameFragment }
{ dog { ...dogFragment } } fragment dogFragment on Dog { name owner { ...ownerFragment } } fragment ownerFragment on Human { name pets { ...dogFragment } }
{ dog { ...dogFragment ...catInDogFragmentInvalid ...petNameFragment ...unionWithInterface } } fragment dogFragment on Dog { ... on Dog { barkVolume } } fragment catInDogFragmentInvalid on Dog { ... on Cat { meowVolume } } fragment petNameFragment on Pet { name } fragment unionWithInterface on Pet { ...dogOrHumanFragment } fragment dogOrHumanFragment on DogOrHuman { ... on Dog { barkVolume } }
{ catOrDog { ...catOrDogNameFragment ...unionWithObjectFragment } } fragment catOrDogNameFragment on CatOrDog { ... on Cat { meowVolume } } fragment unionWithObjectFragment on CatOrDog { ...petFragment } fragment petFragment on Pet { name ... on Dog { barkVolume } }
{ human { ...sentientFragment ...humanOrAlienFragment } } fragment sentientFragment on Sentient { ... on Dog { barkVolume } } fragment humanOrAlienFragment on HumanOrAlien { ... on Cat { meowVolume } }
{ pet { ...nonIntersectingInterfaces } } fragment nonIntersectingInterfaces on Pet { ...sentientFragment } fragment sentientFragment on Sentient { name }
query goodComplexDefaultValue($search: FindDogInput = { name: "Fido" }) { findDog(searchBy: $search) { name } arguments { booleanArgField(booleanArg: true) intArgField(intArg: "123") floatArgField(floatArg: 1) } }
mutation addPet { addPet(pet: { cat: { name: "Brontie" } }) { name } }
mutation addPet { addPet(pet: { cat: { name: "Brontie" }, dog: null }) { name } }
mutation addPet($cat: CatInput) { addPet(pet: { cat: $cat }) { name } }
mutation addPet($cat: CatInput!) { addPet(pet: { cat: $cat }) { name } }
mutation addPet($cat: CatInput, $dog: DogInput) { addPet(pet: { cat: $cat, dog: $dog }) { name } }
mutation addPet { addPet(pet: { cat: null }) { name } }
{ findDog(searchBy: { name: "Fido" }) { name } }
{ findDog(searchBy: { favoriteCookieFlavor: "Bacon" }) { name } }
{ findDog(searchBy: { name: "a", name: "b" }) { name } }
query @skip(if: $foo) { field }
query ($foo: Boolean = true, $bar: Boolean = false) { field @skip(if: $foo) @skip(if: $bar) }
query ($foo: Boolean = true, $bar: Boolean = false) { field @skip(if: $foo) dog { name } field @skip(if: $bar) }
query houseTrainedQuery($atOtherHomes: Boolean, $atOtherHomes: Boolean) { dog { isHouseTrained(atOtherHomes: $atOtherHomes) } }
query A($atOtherHomes: Boolean) { ...HouseTrainedFragment } query B($atOtherHomes: Boolean) { ...HouseTrainedFragment } fragment HouseTrainedFragment on Query { dog { isHouseTrained(atOtherHomes: $atOtherHomes) } }
query takesBoolean($atOtherHomes: Boolean) { dog { isHouseTrained(atOtherHomes: $atOtherHomes) } } query takesComplexInput($search: FindDogInput) { findDog(searchBy: $search) { name } } query TakesListOfBooleanBang($booleans: [Boolean!]) { booleanList(booleanListArg: $booleans) }
query takesCat($cat: Cat) { dog { name } } query takesDogBang($dog: Dog!) { dog { name } } query takesListOfPet($pets: [Pet]) { dog { name } } query takesCatOrDog($catOrDog: CatOrDog) { dog { name } }
query variableIsNotDefined { dog { isHouseTrained(atOtherHomes: $atOtherHomes) } }
query variableIsNotDefinedUsedInSingleFragment { dog { ...isHouseTrainedFragment } } fragment isHouseTrainedFragment on Dog { isHouseTrained(atOtherHomes: $atOtherHomes) }
query variableIsNotDefinedUsedInNestedFragment { dog { ...outer } } fragment outer on Dog { ...inner } fragment inner on Dog { isHouseTrained(atOtherHomes: $atOtherHomes) }
query houseTrainedQueryOne($atOtherHomes: Boolean) { dog { ...f } } query houseTrainedQueryTwoNotDefined { dog { ...f } } fragment f on Dog { isHouseTrained(atOtherHomes: $atOtherHomes) }
query variableUnused($atOtherHomes: Boolean) { dog { isHouseTrained } }
query variableNotUsedWithinFragment($atOtherHomes: Boolean) { dog { ...f } } fragment f on Dog { isHouseTrained }
query queryWithUsedVar($atOtherHomes: Boolean) { dog { ...f } } query queryWithExtraVar($atOtherHomes: Boolean, $extra: Int) { dog { ...f } } fragment f on Dog { isHouseTrained(atOtherHomes: $atOtherHomes) }
query intCannotGoIntoBoolean($intArg: Int) { arguments { booleanArgField(booleanArg: $intArg) } }
query booleanListCannotGoIntoBoolean($booleanListArg: [Boolean]) { arguments { booleanArgField(booleanArg: $booleanListArg) } }
query booleanArgQuery($booleanArg: Boolean) { arguments { nonNullBooleanArgField(nonNullBooleanArg: $booleanArg) } }
query nonNullListToList($nonNullBooleanList: [Boolean]!) { arguments { booleanListArgField(booleanListArg: $nonNullBooleanList) } }
query listToNonNullList($booleanList: [Boolean]) { arguments { nonNullBooleanListField(nonNullBooleanListArg: $booleanList) } }
query booleanArgQueryWithDefault($booleanArg: Boolean) { arguments { optionalNonNullBooleanArgField(optionalBooleanArg: $booleanArg) } }
query booleanArgQueryWithDefault($booleanArg: Boolean = true) { arguments { nonNullBooleanArgField(nonNullBooleanArg: $booleanArg) } }
"""
