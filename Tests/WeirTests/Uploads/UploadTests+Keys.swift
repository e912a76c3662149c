import Foundation
import Testing
import Weir

extension UploadTests {
  @Test("No later process finds a saved result of an operation with a file in memory (C9, K4)")
  func savedResults() async {
    let cache = DocumentCacheExchange()
    var configuration = FetchConfiguration()
    configuration.transport = ScriptedTransport(#"{"data":{"ocr":"text"}}"#)
    let client = GraphQLClient([cache, .fetch(URL(fileURLWithPath: "/graphql"), configuration)])
    let query: GraphQLDocument = "query Ocr($input: I!) { ocr(input: $input) }"
    func operation(_ file: Upload) -> GraphQLOperation {
      GraphQLOperation(query, variables: Variables(input: Input(file: file)))
    }
    let onDisk = Upload(file: URL(fileURLWithPath: #filePath))
    for file in [text, onDisk] { _ = await client.query(operation(file)) }
    #expect(client.peek(operation(text)) != nil && client.peek(operation(onDisk)) != nil)
    #expect(client.peek(operation(other)) == nil)
    #expect(cache.snapshot().count == 1)
    let traced = operation(text).with { $0.headers["x-tenant"] = "a" }
    _ = await client.query(traced)
    #expect(client.peek(traced) != nil && cache.snapshot().count == 1)
  }
}
