import Foundation
import Testing
import Weir
import WeirNormalized
@testable import WeirRecords
import WeirTesting

/// Data as the first version with these formats has written it. It must not be adapted to a change: see the
/// article Internals, "Formats that outlive the process".
@Suite("Data that an earlier version has saved", .timeLimit(.minutes(10)))
struct SavedFormatTests {
  private static let names = [
    "Todo", "id", "done", "open", "due", "size", "ratio", "text", "note", "long", "meta", "place",
    "parent", "marks", "children", "owner", "QUERY_ROOT", "Query", "Place", "city", "Mark", "label",
    "Todos", "edges", "pageInfo", "Edge", "cursor", "node", "PageInfo", "endCursor", "hasNextPage",
    "todo({\"id\":\"1\"})", "User", "name",
  ]

  private static let records = [
    StoredRecord(
      "LEARNED", 0,
      """
      01000705546f646f7305506c616365044d61726b045573657204456467650850616765496e666f04546f646f0002\
      04546f646f086368696c6472656e04546f646f05546f646f7305656467657304546f646f0505546f646f73056564\
      676573044564676504546f646f05706c61636505506c61636504546f646f056d61726b73044d61726b0a51554552\
      595f524f4f5405746f646f7305546f646f7305546f646f730870616765496e666f0850616765496e666f
      """),
    StoredRecord(
      "QUERY_ROOT:todo({\"id\":\"1\"})", 18,
      """
      010001210007010131
      """),
    StoredRecord(
      "QUERY_ROOT:todos@()({\"first\":2})", 18,
      """
      0100010015746f646f73402829287b226669727374223a327d29001817a7a1f19ba2340219000901081a021c0005\
      01631d00070101321a00081d021f00050163200002
      """),
    StoredRecord(
      "Todo:1", 1,
      """
      0100100300050131040003050002060001070004023132080014042d312e35090005036f6e650a00150761205c22\
      625c220b0005126c6f6e676572207468616e20612063656c6c0c0006097b2261223a5b315d7d0d00081301150005\
      04426f6e6e0e00070101320f00090208150117000503726564011000090207010133070101341100072101370012\
      636f756e74287b22746167223a2278227d2900040133
      """),
    StoredRecord(
      "Todo:2", 1,
      """
      01000203000501320900050374776f
      """),
    StoredRecord(
      "Todo:3", 1,
      """
      0100020300050133090005057468726565
      """),
    StoredRecord(
      "Todo:4", 1,
      """
      010002030005013409000504666f7572
      """),
    StoredRecord(
      "User:7", 33,
      """
      01000203a2efb181a13405013723a2efb181a1340503416e6e
      """),
  ]

  private static let snapshot = """
    V2VpcgNTvnB8gCQNxiIKUVVFUllfUk9PVAVRdWVyeRB0b2RvKHsiaWQiOiIxIn0pBFRvZG8CaWQEZG9uZQRvcGVuA2R1\
    ZQRzaXplBXJhdGlvBHRleHQEbm90ZQRsb25nBG1ldGEFcGxhY2UGcGFyZW50BW1hcmtzCGNoaWxkcmVuBW93bmVyBVRv\
    ZG9zBWVkZ2VzCHBhZ2VJbmZvBEVkZ2UGY3Vyc29yBG5vZGUIUGFnZUluZm8JZW5kQ3Vyc29yC2hhc05leHRQYWdlBVBs\
    YWNlBGNpdHkETWFyawVsYWJlbARVc2VyBG5hbWVTAQAHBVRvZG9zBVBsYWNlBE1hcmsEVXNlcgRFZGdlCFBhZ2VJbmZv\
    BFRvZG8AAgRUb2RvCGNoaWxkcmVuBFRvZG8FVG9kb3MFZWRnZXMEVG9kbwAGAAABAgMABwMBMQAVdG9kb3NAKCkoeyJm\
    aXJzdCI6Mn0pABgTp6Hxm6I0AhUACQEIFgIYAAUBYxkABwMBMhYACBkCGwAFAWMcAAIDATEDEAUABQExBgADBwACCAAB\
    CQAEAjEyCgAUBC0xLjULAAUDb25lDAAVB2EgXCJiXCINAAUSbG9uZ2VyIHRoYW4gYSBjZWxsDgAGCXsiYSI6WzFdfQ8A\
    CBwBHgAFBEJvbm4QAAcDATIRAAkCCB4BIAAFA3JlZAESAAkCBwMBMwcDATQTAAcgATcAEmNvdW50KHsidGFnIjoieCJ9\
    KQAEATMDATIDAgUABQEyCwAFA3R3bwMBMwMCBQAFATMLAAUFdGhyZWUDATQDAgUABQE0CwAFBGZvdXIgATcgAgWi77GB\
    oTQFATciou+xgaE0BQNBbm4=
    """

  private static let todo = GraphQLOperation(
    """
    query Todo($tag: String) {
      todo(id: "1") {
        id done open due size ratio text note long meta count(tag: $tag)
        place { city } parent { id text } marks { label } children { id text }
      }
    }
    """, variables: ["tag": "x"])
  private static let todoData = #"""
    {"todo":{"__typename":"Todo","id":"1","done":true,"open":false,"due":null,"size":12,"ratio":-1.5,
    "text":"one","note":"a \"b\"","long":"longer than a cell","meta":{"a":[1]},"count":3,
    "place":{"__typename":"Place","city":"Bonn"},
    "parent":{"__typename":"Todo","id":"2","text":"two"},
    "marks":[{"__typename":"Mark","label":"red"},null],
    "children":[{"__typename":"Todo","id":"3","text":"three"},
      {"__typename":"Todo","id":"4","text":"four"}]}}
    """#
  private static let todos = GraphQLOperation(
    "{ todos(first: 2) { edges { cursor node { id text } } pageInfo { endCursor hasNextPage } } }")
  private static let todosData = #"""
    {"todos":{"__typename":"Todos","edges":[{"__typename":"Edge","cursor":"c",
    "node":{"__typename":"Todo","id":"2","text":"two"}}],
    "pageInfo":{"__typename":"PageInfo","endCursor":"c","hasNextPage":false}}}
    """#
  /// The owner has an age of ten hours, which is over.
  private static let owner = GraphQLOperation("{ todo(id: \"1\") { id owner { id name } } }")

  private let medium = MemoryRecordStorage()
  private var configuration = NormalizedCacheConfiguration()

  init() throws {
    configuration.fields["Query.todos"] = .connection()
    #expect(try medium.register(Self.names) == Array(1...UInt32(Self.names.count)))
    try medium.commit(RecordBatch(records: Self.records))
  }

  private func store() -> NormalizedStore {
    NormalizedStore(configuration, storage: MemoryRecordStorage(sharing: medium))
  }

  @Test("Saved values of every kind are read, with pages and ages (N9.1)")
  func records() async throws {
    let store = store()
    #expect(try await store.load(Self.todo) == JSON(parsing: Self.todoData))
    #expect(try await store.load(Self.todos) == JSON(parsing: Self.todosData))
    #expect(await store.load(Self.owner)?["todo"]?["owner"]?["name"]?.string == "Ann")
    #expect(store.explain(Self.todo).status == .complete)
    #expect(store.explain(Self.todos).status == .complete)
    #expect(store.explain(Self.owner).status == .stale)
  }

  @Test("Invalidating a type finds the saved lists that contain its objects (N5.2, N9.1)")
  func learned() async throws {
    let store = store()
    GraphQLClient([.normalizedCache(store)]).invalidate(types: "Mark")
    #expect(await store.load(Self.todo) != nil)
    #expect(store.explain(Self.todo).status == .stale)
    #expect(await store.load(Self.todos) != nil)
    #expect(store.explain(Self.todos).status == .complete)
  }

  @Test("A saved snapshot is restored (N9.1)")
  func restored() throws {
    let store = NormalizedStore(configuration)
    let bytes = try #require(Data(base64Encoded: Self.snapshot))
    try store.restore(StoreSnapshot(bytes: Array(bytes)))
    #expect(try store.read(Self.todo) == JSON(parsing: Self.todoData))
    #expect(try store.read(Self.todos) == JSON(parsing: Self.todosData))
    #expect(store.explain(Self.todo).status == .complete)
    #expect(store.explain(Self.owner).status == .stale)
  }

  @Test("The kinds of values have the numbers of saved data (N9.1)")
  func kinds() {
    let kinds = Cell.Kind.allCases
    #expect(
      kinds == [
        .absent, .null, .false, .true, .number, .string, .json, .reference, .embedded, .list,
      ])
    #expect(kinds.map(\.rawValue) == Array(0...9))
    #expect(kinds.map { Cell($0).kind } == kinds)
  }
}

extension StoredRecord {
  /// A record whose value is given in hexadecimal digits.
  fileprivate init(_ key: String, _ type: UInt32, _ value: String) {
    let digits = value.utf8.map { $0 < 58 ? $0 - 48 : $0 - 87 }
    self.init(
      key: key, type: type,
      value: stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
  }
}
