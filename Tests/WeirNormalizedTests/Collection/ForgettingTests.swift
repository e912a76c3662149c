import Testing
import Weir
import WeirTesting

@testable import WeirNormalized
@testable import WeirRecords

/// Names that come from documents and from servers go with their session.
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct ForgettingTests {
  private static func searches(_ number: Int) -> GraphQLOperation {
    GraphQLOperation(GraphQLDocument(#"{ search(text: "text of a user \#(number)") }"#))
  }

  private func client(_ store: NormalizedStore) -> GraphQLClient {
    GraphQLClient([
      .cache(store), ScriptedExchange.immediate { _ in .data(#"{"search":"found"}"#) },
    ])
  }

  @Test(
    "Literal arguments are forgotten with their plans (N8.5)",
    .not(.file, because: "the names are in memory only, and the test needs thousands of them"))
  func collected() throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.maximumBytes = 20_000
    configuration.maximumResults = 10
    let store = StoreKind.store(configuration)
    for number in 0..<3_000 {
      try store.write(["search": "found"], for: Self.searches(number))
    }
    // 512 plans are kept in any case, and a field is forgotten with the second collection.
    #expect(store.statistics.fields < 1_500)
    #expect(store.statistics.records < 10)
  }

  private static func search(_ text: String) -> GraphQLOperation {
    GraphQLOperation(
      "query Search($text: String!) { search(text: $text) }", variables: ["text": .string(text)])
  }

  @Test(
    "The arguments of queries that fail are forgotten although nothing is evicted (N8.2)",
    .not(.file, because: "the names are in memory only, and the test needs thousands of them"))
  func failed() async {
    var configuration = NormalizedCacheConfiguration()
    configuration.maximumResults = 100
    let store = StoreKind.store(configuration)
    let client = GraphQLClient([.cache(store), ScriptedExchange.immediate { _ in .failure("no") }])
    for number in 0..<6_000 { _ = await client.query(Self.search("\(number)")) }
    #expect(store.statistics.fields < 3_000)
    // The first call finds them unused, the second forgets them.
    for _ in 0..<2 { store.collect() }
    #expect(store.statistics.fields < 200)
  }

  @Test(
    "The arguments of what was removed do not count (N8.2)",
    .not(.file, because: "the names are in memory only"))
  func removed() throws {
    let store = StoreKind.store(NormalizedCacheConfiguration())
    for number in 0..<20 {
      let text = String(repeating: "\(number)", count: 5_000)
      try store.write(["search": "found"], for: Self.search(text))
    }
    #expect(store.statistics.recordBytes > 100_000)
    try store.update { $0.remove(.field("search")) }
    #expect(store.statistics.recordBytes < 1_000)
  }

  @Test(
    "The budget counts the arguments of what is kept (N8.2)",
    .not(.file, because: "the names are in memory only, and the test needs thousands of them"))
  func counted() throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.maximumBytes = 200_000
    configuration.maximumResults = 10
    let store = StoreKind.store(configuration)
    for number in 0..<2_000 {
      let text = String(repeating: "\(number) ", count: 200)
      try store.write(["search": "found"], for: Self.search(text))
      #expect(store.statistics.bytes < 250_000)
    }
    #expect(store.statistics.fields < 1_000)
    client(store).clear()
    #expect(store.statistics.bytes < 1_000)
  }

  @Test("Literal arguments are forgotten with the session (N8.5)")
  func switched() async {
    let store = StoreKind.store(NormalizedCacheConfiguration())
    let client = client(store)
    let count = StoreKind.scaled(1_000, by: 20)
    for number in 0..<count {
      #expect(await client.query(Self.searches(number)).data?["search"]?.string == "found")
    }
    #expect(store.statistics.fields >= count)
    client.switchSession()
    #expect(store.statistics.fields < 5)
    // The same documents work in the next session.
    #expect(await client.query(Self.searches(1)).data?["search"]?.string == "found")
    #expect(client.peek(Self.searches(1))?.data?["search"]?.string == "found")
    #expect(client.peek(Self.searches(2)) == nil)
  }

  @Test("After the last number of a field, those that no field has are given again (N8.5)")
  func lastNumber() throws {
    let store = NormalizedStore()
    try store.write(["search": "first"], for: Self.searches(0))
    store.catalog.state.withLock { $0.nextField = .max }
    for number in 1..<10 {
      try store.write(["search": .string("\(number)")], for: Self.searches(number))
    }
    #expect(store.read(Self.searches(0))?["search"]?.string == "first")
    for number in 1..<10 {
      #expect(store.read(Self.searches(number))?["search"]?.string == "\(number)")
    }
  }

  @Test("A watch across a switch keeps what its selections use (N8.5)")
  func watched() async {
    let store = StoreKind.store(NormalizedCacheConfiguration())
    let client = client(store)
    var watch = client.watch(Self.searches(1)).makeAsyncIterator()
    #expect(await watch.next()?.data?["search"]?.string == "found")
    for _ in 0..<3 {
      client.switchSession()
      while let result = await watch.next() {
        if result.data?["search"]?.string == "found", !result.isStale { break }
      }
      #expect(store.statistics.fields < 5)
    }
  }

  private static let nodes = GraphQLOperation("{ nodes { id } }")

  private static func nodes(_ range: Range<Int>) throws -> JSON {
    let nodes = range.map { #"{"__typename":"T\#($0)","id":"1"}"# }
    return try JSON(parsing: Array(#"{"nodes":[\#(nodes.joined(separator: ","))]}"#.utf8))
  }

  @Test("A server that invents types is told of, and its types go with the session (N8.5)")
  func types() async throws {
    let told = Locked<[StoreDiagnostic]>([])
    var configuration = NormalizedCacheConfiguration()
    configuration.onDiagnostic = { diagnostic in told.withLock { $0.append(diagnostic) } }
    configuration.maximumTypes = 50
    let store = StoreKind.store(configuration)
    let client = GraphQLClient([.cache(store), ScriptedExchange.immediate { _ in .failure("no") }])
    for round in 0..<10 {
      // Each round has other types, more than there is room for.
      let first = round * 1_000
      for start in stride(from: first, to: first + 100, by: 10) {
        try store.write(try Self.nodes(start..<start + 10), for: Self.nodes)
      }
      let codes = told.withLock { $0.map(\.code) }
      #expect(codes.filter { $0 != .notLoaded } == [.tooManyTypes])
      let extra = GraphQLFragment.id(of: "T\(first + 99)")
      #expect(store.read(extra, of: Entity("T\(first + 99)", id: "1")) == nil)
      client.switchSession()
      // Further types are entities again, and are told apart.
      let names = (0..<20).map { "T\(first + 900 + $0)" }
      try store.write(try Self.nodes(first + 900..<first + 920), for: Self.nodes)
      #expect(store.read(Self.nodes)?["nodes"]?.elements.map { $0["__typename"]?.string } == names)
      for name in names {
        #expect(store.read(GraphQLFragment.id(of: name), of: Entity(name, id: "1")) != nil)
      }
      client.switchSession()
    }
  }
}

extension GraphQLFragment {
  fileprivate static func id(of type: String) -> GraphQLFragment {
    do {
      return try GraphQLFragment("fragment F on \(type) { __typename id }")
    } catch {
      preconditionFailure("\(error)")
    }
  }
}
