import TestSupport
import Testing
import WeirTesting

@testable import Weir

@Suite("Type names that a server invents", .timeLimit(.minutes(10)))
struct InventedTypesTests {
  /// Posts of as many types, each with an author.
  private static func posts(_ count: Int) throws -> JSON {
    let posts = (0..<count).map {
      #"{"__typename":"T\#($0)","author":{"__typename":"A\#($0 % 3)","id":"1"}}"#
    }
    return try JSON(parsing: #"{"posts":[\#(posts.joined(separator: ","))]}"#)
  }

  private let plan = GraphQLOperation("{ posts { author { id } } }").prepared.plan

  // A search per object among all names would take far longer than the limit.
  @Test("Walking over a response takes time in proportion to its objects (C2)")
  func work() throws {
    let count = 100_000
    let found = TypeKnowledge(schema: nil).types(in: try Self.posts(count), plan: plan)
    #expect(found.names.isSuperset(of: (0..<count).map { "T\($0)" }))
  }

  /// The processor time of a walk over objects with 200 members in several orders, of which each is another
  /// list of keys.
  private static func time(fields: Int) throws -> Duration {
    let objects = (0..<500).map { number in
      let keys = (0..<200).map { "k\(($0 + number % 9) % 200)" }
      return "{\(keys.map { #""\#($0)":0"# }.joined(separator: ","))}"
    }
    let data = try JSON(parsing: #"{"posts":[\#(objects.joined(separator: ","))]}"#)
    let fields = (0..<fields).reversed().map { "k\($0) { id }" }.joined(separator: " ")
    let plan = GraphQLOperation(GraphQLDocument("{ posts { \(fields) } }")).prepared.plan
    return processorTime { _ = TypeKnowledge(schema: nil).types(in: data, plan: plan) }
  }

  @Test("Members are not compared with each field of a large document (C2)")
  func fieldsAndMembers() throws {
    let few = try (0..<3).map { _ in try Self.time(fields: 20) }.min() ?? .zero
    let many = try (0..<3).map { _ in try Self.time(fields: 2_000) }.min() ?? .zero
    #expect(many < few * 10, "\(few), \(many)")
  }

  @Test("The number of fields whose types are learned is limited (C2)")
  func fields() throws {
    let types = TypeKnowledge(schema: nil)
    let learned = types.types(in: try Self.posts(20_000), plan: plan).learned
    #expect(learned.count { $0.field.type == "Query" } == 1_000)
    #expect(Set(learned.map(\.field)).count == 10_000)
    // Fields that are known go on learning.
    let more = try JSON(
      parsing: #"{"posts":[{"__typename":"T1","author":{"__typename":"New","id":"1"}}]}"#)
    #expect(types.types(in: more, plan: plan).learned.map(\.type) == ["New"])
  }

  @Test("Types that are not learned invalidate the results with them (C2)")
  func unlearned() async {
    let queries = ["A", "B"].map {
      GraphQLOperation(
        "query ($letter: String!) { posts(by: $letter) { id } }", variables: ["letter": .string($0)]
      )
    }
    let server = ScriptedExchange { operation in
      let letter = operation.variables == queries[0].variables ? "A" : "B"
      let posts = (0...1_000).map { #"{"__typename":"\#(letter)\#($0)"}"# }
      return .data(
        operation.kind == .query
          ? #"{"posts":[\#(posts.joined(separator: ","))]}"# : #"{"add":{"__typename":"B5"}}"#)
    }
    let client = GraphQLClient([.documentCache, server])
    for query in queries { _ = await client.query(query) }
    _ = await client.mutate(GraphQLOperation("mutation { add { id } }"))
    #expect(client.peek(queries[0]) != nil)
    #expect(client.peek(queries[1]) == nil)
  }

  @Test("Many types are found again in the next response, in any order (C2)")
  func manyTypes() throws {
    var walk = TypeWalk(plan, root: "Query")
    walk.walk(try Self.posts(40))
    #expect(walk.namesMet.count == 43 && walk.learned.count == 80)
    let names = Set(walk.namesMet)
    walk.walk(try Self.posts(39))
    #expect(walk.namesMet.count == 42 && walk.learned.isEmpty)
    #expect(names.symmetricDifference(walk.namesMet) == ["T39"])
  }
}
