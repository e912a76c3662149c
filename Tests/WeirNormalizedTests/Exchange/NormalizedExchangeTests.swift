import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Entities through the whole chain.
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct NormalizedExchangeTests {
  static let list = GraphQLOperation("{ todos { id text author { id name } } }")
  static let listData = #"""
    {"todos":[
      {"__typename":"Todo","id":"1","text":"a","author":{"__typename":"Author","id":"7","name":"Ann"}},
      {"__typename":"Todo","id":"2","text":"b","author":{"__typename":"Author","id":"7","name":"Ann"}}
    ]}
    """#

  static func server() -> ScriptedExchange {
    ScriptedExchange.immediate { operation in
      if operation.kind == .mutation {
        return .data(#"{"rename":{"__typename":"Author","id":"7","name":"Beth"}}"#)
      }
      if operation.text.contains("first:") {
        return .data(#"{"firstTodo":{"__typename":"Todo","id":"1","text":"a"}}"#)
      }
      return .data(listData)
    }
  }

  @Test("N1 what one operation learns another one shows")
  func sharedEntities() async {
    let server = Self.server()
    let client = GraphQLClient([.dedup, .cache(StoreKind.store()), server])
    let first = await client.query(Self.list)
    #expect(first.outcome == .miss)
    #expect(first.data?["todos"]?.count == 2)
    let renamed = await client.mutate(
      GraphQLOperation(#"mutation { rename(id: 7, name: "Beth") { id name } }"#))
    #expect(renamed.error == nil)
    let second = await client.query(Self.list)
    #expect(second.outcome == .hit)
    #expect(second.data?["todos"]?[1]?["author"]?["name"]?.string == "Beth")
    #expect(server.operations.count == 2)
  }

  @Test("N4 a watch shows what a mutation changes, without a refetch")
  func watch() async {
    let server = Self.server()
    let client = GraphQLClient([.dedup, .cache(StoreKind.store()), server])
    var results = client.watch(Self.list).makeAsyncIterator()
    let first = await results.next()
    #expect(first?.data?["todos"]?[0]?["author"]?["name"]?.string == "Ann")
    async let mutation = client.mutate(
      GraphQLOperation(#"mutation { rename(id: 7, name: "Beth") { id name } }"#))
    let second = await results.next()
    #expect(second?.data?["todos"]?[0]?["author"]?["name"]?.string == "Beth")
    #expect(second?.isStale == false)
    #expect(await mutation.data != nil)
    #expect(server.operations.count == 2)
  }

  @Test("N4.2 an invalidated type is fetched again, and shown as stale meanwhile")
  func invalidation() async {
    let server = Self.server()
    let client = GraphQLClient([.dedup, .cache(StoreKind.store()), server])
    var results = client.watch(Self.list).makeAsyncIterator()
    _ = await results.next()
    client.invalidate(types: "Author")
    let stale = await results.next()
    #expect(stale?.isStale == true)
    let fresh = await results.next()
    #expect(fresh?.isStale == false)
    #expect(fresh?.data == stale?.data)
    #expect(server.operations.count == 2)
  }

  @Test("N3.1 cacheOnly without all fields is a miss, and becomes a hit when they are there")
  func cacheOnly() async {
    let client = GraphQLClient([.dedup, .cache(StoreKind.store()), Self.server()])
    let operation = Self.list.with { $0.requestPolicy = .cacheOnly }
    var results = client.watch(operation).makeAsyncIterator()
    let miss = await results.next()
    #expect(miss?.data == nil)
    #expect(miss?.error == nil)
    async let other = client.query(Self.list)
    let hit = await results.next()
    #expect(hit?.data?["todos"]?.count == 2)
    #expect(await other.data != nil)
  }
}
