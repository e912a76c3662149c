import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Names of types that no API has.
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct TypenameTests {
  private static let query = GraphQLOperation("{ t { __typename id x } }")

  @Test(
    "A result is the JSON that the server meant, whatever it calls a type (N1.6)",
    arguments: [#"A\",\"admin\":true,\"x\":\"y"#, #"A\\"#, #"\u0000"#, #"A\nB"#, #"A\u0022"#])
  func hostileName(name: String) async throws {
    let told = Told()
    var configuration = NormalizedCacheConfiguration()
    configuration.onDiagnostic = told.add
    let store = StoreKind.store(configuration)
    let text = #"{"t":{"__typename":"\#(name)","id":"1","x":1}}"#
    let client = GraphQLClient([.cache(store), ScriptedExchange.immediate { _ in .data(text) }])
    let expected = try JSON(parsing: text)
    for _ in 0..<2 {
      let data = try #require(await client.query(Self.query).data)
      #expect(try JSON(parsing: Array(data.description.utf8)) == expected)
      #expect(data["t"]?["admin"] == nil)
    }
    let other = await client.query(GraphQLOperation("{ again: t { __typename x } }")).data
    #expect(try other.map { try JSON(parsing: Array($0.description.utf8)) } != nil)
    let codes = told.all.map(\.code)
    #expect(codes.contains(.noTypename) && !codes.contains(.tooManyTypes))
  }
}
