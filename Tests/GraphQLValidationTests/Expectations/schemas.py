"""Schemas for the comparison with graphql-core: each line is one."""
import random

from graphql import build_ast_schema, parse, validate_schema
from graphql.validation.specified_rules import specified_sdl_rules
from graphql.validation.validate import validate_sdl

import mutate

VALID = """
type Query { a: Int b(x: Int = 1, y: [E!]! = [A]): [T!]! i: I u: U } enum E { A B @deprecated(reason: "x") } interface I { id: ID! } type T implements I { id: ID! n(o: O, p: P = {a: 1}): String } union U = T | Query input O @oneOf { a: Int b: P } input P { a: Int! b: P c: [P!]! = [] d: E = A } scalar S @specifiedBy(url: "https://x")
schema @d(x: 1) { query: Q mutation: M subscription: S } type Q { a: Int } type M { a: Int } type S { a: Int } directive @d(x: Int! = 2 @deprecated) repeatable on SCHEMA | OBJECT | FIELD_DEFINITION extend schema @d extend type Q @d(x: 3) @d { b: Int @d }
interface A { a(x: Int): A } interface B implements A { a(x: Int, y: Int): B b: [A] } type C implements B & A { a(x: Int, y: Int, z: Int = 1): C! b: [B!]! } type Query { c: C } extend type C @deprecatd { c: Int } directive @deprecatd on OBJECT
"""

HAND = """
# unique definitions
schema { query: Query } type Query { a: Int } schema { query: Query }
type Query { a: Int } schema { query: Query query: Query mutation: Query } extend schema { query: Query }
type Query { a: Int } type A { a: Int } type A { b: Int } scalar A
type Query { a: Int } directive @a on FIELD directive @a on QUERY
type Query { a: Int } type String { a: Int } scalar Int
# unique members
type Query { a: Int b: Int a: String } extend type Query { b: Int c: Int } extend type Query { c: Int }
type Query { a: Int } input I { a: Int "described" a: Int } interface F { x: Int } extend interface F { x: Int }
type Query { a: Int } enum E { A B A } extend enum E { B C }
type Query { a(x: Int, x: Int, y: Int, "d" x: String): Int } directive @d(a: Int, a: Int) on FIELD
# known types
type Query { a: Foo b(x: Bar, y: [Itn!]!): [[Quer!]] } type B implements Missing & Nod { a: Int } union U = Query | Mising interface Node { id: ID }
schema { query: Quer mutation: M } type Query { a: Int }
type Query { a: Int } input I { a: Stringg b: __Typ } extend type Query implements Foo { c: Bar } directive @d(x: Intt) on FIELD
# directives
type Query @unknown { a: Int @include(if: true) b(x: Int @skip(if: true)): Int @alsoUnknown }
directive @once on OBJECT | FIELD_DEFINITION | SCHEMA directive @many repeatable on OBJECT type Query @once @once { a: Int @once @once } extend type Query @once @many @many extend schema @once
enum E @deprecated { A @deprecated(reason: "a", reason: "b") } input I @oneOf(a: 1) { a: Int @specifiedBy } scalar S @specifiedBy interface F @oneOf { a: Int } union U @x = Query type Query { a: Int @deprecated(why: "x") }
directive @d(x: Int!, i: P) on OBJECT input P { a: Int } type Query @d(i: {a: 1, a: 2}) { a: Int }
schema @onSchema @deprecated { query: Query } type Query { a: Int }
# extensions
type Query { a: Int } extend type Missing { a: Int } extend input Quer { a: Int }
type Query { a: Int } extend interface Query { b: Int } enum E { A } extend union E = Query extend scalar E @x extend input E { a: Int } extend type E { a: Int } scalar S extend enum S { A }
# root types
type A { a: Int }
schema { mutation: A } type A { a: Int }
schema { query: A mutation: A subscription: A } type A { a: Int }
schema { query: Q mutation: I subscription: E } type Q { a: Int } input I { a: Int } enum E { A }
schema { query: U } union U = A type A { a: Int }
input Query { a: Int } interface Mutation { a: Int }
type Query { a: Int } extend schema { mutation: Query }
# names
type Query { __a: Int b(__x: Int): Int } type __A { a: Int } enum E { __A } input I { __a: Int } directive @__d(__x: Int) on FIELD scalar __S
# empty types
type Query { a: Int } type A interface B union C enum D input E
type Query { a: Int } type A extend type A @x directive @x on OBJECT
# input and output
type Query { a: I b: [I!]! c(x: Query, y: [U!], z: F): Int } input I { q: Query u: [U!]! f: F } union U = Query interface F { i: I } directive @d(x: Query) on FIELD
# interfaces
interface A { a: Int b: String! c(x: Int!): [A] } type Query implements A { a: String b: String c: [Query!] }
interface A { c(x: Int!, y: String): A } type Query implements A { c(x: Int, z: Int!, w: Int = 1): A }
interface A { a: Int } interface B implements A { a: Int } type Query implements B { a: Int }
interface A implements B { a: Int } interface B implements A { a: Int } type Query { a: A }
interface A implements A { a: Int } type Query implements A & A { a: Int } extend type Query implements A
interface A implements B { a: Int } interface B implements C { a: Int } interface C implements A & B { a: Int } type Query { a: A }
type Query implements A & U & E { a: Int } type A { a: Int } union U = A enum E { X }
interface A { a: U b: A c: [Int] d: Int! } union U = Query | T type T { a: Int } type Query implements A { a: T b: Query c: [Int!]! d: Int }
interface A { a: T } union U = Query type T { a: Int } type Query implements A { a: U }
interface A { a: Int b: Int @deprecated } type Query implements A { a: Int @deprecated b: Int @deprecated }
interface A { a: Int } extend type Query implements A type Query { b: Int }
interface A { a(x: Int = 1): Int } type Query implements A { a(x: Int! = 1): Int }
interface A { a: [[Int!]]! } type Query implements A { a: [[Int]!]! }
# unions
union U = Query | Query | I | E | F | String type Query { a: U } input I { a: Int } enum E { X } interface F { a: Int } extend union U = Query
union U = | Query | T extend union U = | T type Query { a: U } type T { a: Int }
# one-of
input O @oneOf { a: Int! b: Int = 1 c: [Int!]! = [] d: Int } type Query { a(o: O = {a: 1}, p: O = {a: 1, d: 2}, q: O = {a: null}, r: O = {}): Int }
input O @oneOf { o: O } type Query { a(o: O): Int }
input O @oneOf { o: O p: P } input P { o: O! } type Query { a(o: O): Int }
input O @oneOf { o: O p: Int } input P { o: O! } input R @oneOf { r: [R!]! } type Query { a(o: O): Int }
# deprecated
type Query { a(x: Int! @deprecated, y: Int! = 1 @deprecated, z: Int @deprecated(reason: "r")): Int } input I { a: Int! @deprecated b: Int! = 1 @deprecated } directive @d(x: Int! @deprecated) on FIELD
# default values
type Query { a(x: Int = "a", y: E = B, z: [Int!]! = [1, null, "b"], w: I = {a: "x", d: {b: 1}}, v: Int! = null): Int } enum E { A } input I { a: Int b: E c: Int! d: I }
input I { a: Int = 1.5 b: [String] = [1] c: I = 4 d: E! = C e: [I!] = [{f: 1}] } enum E { A BB CC } type Query { a: Int } directive @d(x: Boolean = 1) on FIELD
type Query { a(s: S = {a: 1}, i: ID = 1.5, f: Float = 1, g: Float = "1", b: Boolean = true): Int } scalar S
# cycles
input A { a: A! } input B { a: A! b: C! } input C { b: B! } input D { d: [D!]! e: D } type Query { a: Int }
input A { b: B! c: C! } input B { c: C! } input C { a: A! x: Int } type Query { a: Int }
input A { b: B! b2: B! } input B { a: A! } input C { a: A! } type Query { a: Int }
input A { a: A = {} } type Query { a: Int }
input A { b: B = {} } input B { a: A = {} c: [A] = [{}] } type Query { a: Int }
input A { b: B = {a: {}} } input B { a: A } type Query { a: Int }
input A { a: A = {a: null} b: B = {c: {}} } input B { c: C = {} } input C { b: B = {c: null} a: A = {a: null} } type Query { a: Int }
input A { a: A = {a: {a: {}}} } input B { b: [[B!]!] = [[{b: null}, {}]] } type Query { a: Int }
\"\"\"d\"\"\" type Query "d" { a: Int }
"""


def check(described, source):
    tree = parse(source)
    found = []
    for rule in specified_sdl_rules:
        for error in validate_sdl(tree, rules=[rule]):
            found.append(described(rule.__name__, error))
    if found:
        return "document", found
    for error in validate_schema(build_ast_schema(tree)):
        found.append(described("Schema", error))
    return "schema", found


def write_cases(described, lines, write):
    cases = []
    seen = set()
    skipped = 0

    def add(source):
        nonlocal skipped
        if source in seen:
            return False
        seen.add(source)
        try:
            level, found = check(described, source)
        except Exception:
            # graphql-core cannot build the schema, though no rule says so.
            skipped += 1
            return False
        cases.append({"schema": source, "level": level, "errors": found})
        return True

    for source in lines(VALID):
        add(source)
        assert not cases[-1]["errors"], cases[-1]
    for source in lines(HAND):
        try:
            parse(source)
        except Exception:
            continue
        add(source)
    written = len(cases)
    chance = random.Random(2)
    words = ["Query", "a", "b", "A", "Int", "T", "I", "P", "O", "String", "E", "__x", "Missing", "U", "x"]
    for source in lines(VALID):
        wanted = 120
        for _ in range(1200):
            text = mutate.mutated(source, chance, words)
            if text and add(text):
                wanted -= 1
                if wanted == 0:
                    break
    print(written, "schemas,", len(cases) - written, "mutations,", skipped, "skipped,",
          sum(1 for c in cases if c["errors"]), "invalid")
    write("schemas.json", {"cases": cases})
