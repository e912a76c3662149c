import Testing
import Weir
import WeirNormalized
import WeirTesting

/// The effects of ``MutationPolicy/removing(_:idsFrom:)``.
@Suite(
  "Entities that a mutation deletes by several arguments", .timeLimit(.minutes(10)), .overStorages)
struct DeletedKeyTests {
  /// A mutation, the numbers of the seats that are left, and what is reported.
  static let deletions: [(mutation: String, rest: [Int64], told: String?)] = [
    (#"cancel(row: "A", input: { number: 2 })"#, [1], nil),
    (#"cancel(row: "B", input: { number: 2 })"#, [1, 2], nil),
    (#"cancel(row: "A", input: {})"#, [1, 2], nil),
    ("cancel(input: { number: 2 })", [1, 2], nil),
    (#"cancel(row: "A", input: { numbers: 2, numbr: 2 })"#, [1, 2], nil),
    (
      #"cancel(row: "A", input: { Number: 2 })"#, [1, 2],
      "input.number of cancel has Number instead of number."
    ),
    (
      #"cancel(row: ["A"], input: { number: 2 })"#, [1, 2],
      "row of cancel has a list instead of an id."
    ),
  ]

  @Test("Several arguments form the key of one entity (N5.4)", arguments: deletions.indices)
  func arguments(index: Int) async throws {
    let (mutation, rest, message) = Self.deletions[index]
    let told = Told()
    var configuration = NormalizedCacheConfiguration()
    configuration.onDiagnostic = told.add
    configuration.keys["Seat"] = .fields(["row", "number"])
    configuration.mutations["cancel"] = .removing("Seat", idsFrom: ["row", "input.number"])
    let store = StoreKind.store(configuration)
    let seats = GraphQLOperation("{ seats { row number } }")
    let data: [JSONValue] = [1, 2].map { ["__typename": "Seat", "row": "A", "number": .int($0)] }
    try store.write(["seats": .array(data)], for: seats)
    let server = ScriptedExchange.immediate { _ in .data(#"{"cancel":true}"#) }
    let client = GraphQLClient([.cache(store), server])
    _ = await client.mutate(GraphQLOperation(GraphQLDocument("mutation { \(mutation) }")))
    let left = store.read(seats)?["seats"]?.elements.map { $0["number"]?.int }
    #expect(left == rest)
    let mistakes = told.all.filter { $0.code == .mutationPolicy }.map(\.message)
    #expect(
      mistakes
        == (message.map { ["The policy for cancel has changed nothing: The argument \($0)"] } ?? [])
    )
  }
}
