import Foundation
import Testing
import Weir
import WeirTesting

/// Members, and ids, that Swift's `String` does not distinguish.
@Suite("Keys of incremental delivery that only look the same", .timeLimit(.minutes(10)))
struct IncrementalKeyTests {
  /// Returns the data of the last result of a response in several parts.
  private func data(_ payloads: String...) async throws -> JSON? {
    let transport = ScriptedTransport { _ in
      let parts = payloads.map { Array("--x\r\n\r\n\($0)\r\n".utf8) } + [Array("--x--".utf8)]
      return HTTPResponse(
        status: 200, headers: ["content-type": "multipart/mixed; boundary=x"],
        body: HTTPBody(AsyncStream(parts)))
    }
    var configuration = FetchConfiguration()
    configuration.transport = transport
    let url = try #require(URL(string: "https://example.org/graphql"))
    let client = GraphQLClient([.fetch(url, configuration)])
    var last: OperationResult?
    for await result in client.results(of: GraphQLOperation("{ o }")) { last = result }
    return last?.data
  }

  @Test("A payload keeps members apart whose keys have different bytes (H10)")
  func members() async throws {
    let data = try await data(
      #"{"data":{"o":{"\u00e9":{"a":1},"e\u0301":{"a":2}}},"hasNext":true}"#,
      #"{"incremental":[{"path":["o"],"data":{"b":3}}],"hasNext":true}"#,
      #"{"incremental":[{"path":["o","e\u0301"],"data":{"c":4}}],"hasNext":true}"#,
      #"{"incremental":[{"path":["o"],"data":{"\u00e9":{"d":5}}}],"hasNext":false}"#)
    let expected = #"{"o":{"\u00e9":{"a":1,"d":5},"e\u0301":{"a":2,"c":4},"b":3}}"#
    #expect(try data == JSON(parsing: expected))
  }

  @Test("A payload does not double objects, however deeply they are nested (H11)")
  func depth() async throws {
    let (depth, open) = (24, #"{"e\u0301":1,"\u00e9":"#)
    let nested = String(repeating: open, count: depth) + "{}" + String(repeating: "}", count: depth)
    let path = Array(repeating: #""\u00e9""#, count: depth).joined(separator: ",")
    let data = try await data(
      #"{"data":\#(nested),"hasNext":true}"#,
      #"{"incremental":[{"path":[\#(path)],"data":{"x":1}}],"hasNext":false}"#)
    #expect(try data == JSON(parsing: nested.replacing("{}", with: #"{"x":1}"#)))
  }

  @Test("An id is another one if its bytes differ (H10)")
  func ids() async throws {
    let data = try await data(
      #"{"data":{"a":{},"b":{}},"pending":[{"id":"\u00e9","path":["a"]},{"id":"e\u0301","path":["b"]}],"hasNext":true}"#,
      #"{"incremental":[{"id":"\u00e9","data":{"x":1}},{"id":"e\u0301","data":{"x":2}}],"completed":[{"id":"\u00e9"},{"id":"e\u0301"}],"hasNext":false}"#
    )
    #expect(try data == JSON(parsing: #"{"a":{"x":1},"b":{"x":2}}"#))
  }
}
