import Foundation
import Testing
import Weir

@Suite("Uploads", .timeLimit(.minutes(10)))
struct UploadTests {
  struct Input: Encodable {
    var note: String?
    var file: Upload?
    var extra: [Upload?] = []
    var named: [String: Upload] = [:]
  }
  struct Variables: Encodable {
    var input: Input
  }

  static let attach: GraphQLDocument = "mutation A($input: I!) { attach(input: $input) }"
  let text = Upload(bytes: Array("hello".utf8), filename: "a.txt", mediaType: "text/plain")
  let other = Upload(data: Data([0, 13, 10, 255]), filename: "b")

  func attach(
    _ input: Input, context: OperationContext = OperationContext()
  ) -> GraphQLOperation {
    GraphQLOperation(Self.attach, variables: Variables(input: input), context: context)
  }

  func client(_ transport: ScriptedTransport) throws -> GraphQLClient {
    var configuration = FetchConfiguration()
    configuration.transport = transport
    let url = try #require(URL(string: "https://example.org/graphql"))
    return GraphQLClient([.dedup, .documentCache, .fetch(url, configuration)])
  }

  /// The request of an operation, and its body with "B" as the boundary.
  func sent(_ operation: GraphQLOperation) async throws -> (HTTPRequest, body: String) {
    let transport = ScriptedTransport(#"{"data":{}}"#)
    let result = try await client(transport).query(operation)
    #expect(result.error == nil)
    let request = try #require(transport.requests.first)
    let contentType = try #require(request.headers["content-type"])
    let boundary = try #require(contentType.split(separator: "boundary=").last)
    let body = try #require(request.streamedBody).contents()
    return (
      request,
      String(decoding: body, as: UTF8.self).replacing(boundary, with: "B")
    )
  }

  func temporaryFile(_ contents: [UInt8], name: String = UUID().uuidString) throws -> URL {
    let url = FileManager.default.temporaryDirectory.appending(path: "weir-test-\(name)")
    try Data(contents).write(to: url)
    return url
  }

  // MARK: The request

  @Test("A custom Content-Type cannot replace the body's boundary, and other fields are kept (H7)")
  func contentType() async throws {
    for isForAll in [true, false] {
      let transport = ScriptedTransport(#"{"data":{}}"#)
      var configuration = FetchConfiguration()
      configuration.transport = transport
      let own: HTTPHeaders = ["Content-Type": "application/json", "x-mine": "a"]
      if isForAll { configuration.headers = { _ in own } }
      let url = try #require(URL(string: "https://example.org/graphql"))
      let operation = attach(Input(file: text)).with { if !isForAll { $0.headers = own } }
      _ = await GraphQLClient([.fetch(url, configuration)]).mutate(operation)
      let request = try #require(transport.requests.first)
      #expect(request.headers.values(of: "content-type").count == 1)
      #expect(request.headers["content-type"]?.hasPrefix("multipart/form-data; boundary=") == true)
      #expect(request.headers["x-mine"] == "a")
    }
  }

  @Test("The body contains the operations, then the map, then the files, one part each (H7)")
  func parts() async throws {
    let (request, body) = try await sent(attach(Input(note: "n", file: text, extra: [other])))
    #expect(request.method == .post)
    #expect(request.body.isEmpty)
    #expect(
      request.headers["content-type"]?.hasPrefix("multipart/form-data; boundary=weir-") == true)
    let operations = #"""
      {"operationName":"A","query":"mutation A($input: I!) {\n  attach(input: $input)\n}",\#
      "variables":{"input":{"extra":[null],"file":null,"named":{},"note":"n"}}}
      """#
    let expected = """
      --B
      Content-Disposition: form-data; name="operations"

      \(operations)
      --B
      Content-Disposition: form-data; name="map"

      {"0":["variables.input.file"],"1":["variables.input.extra.0"]}
      --B
      Content-Disposition: form-data; name="0"; filename="a.txt"
      Content-Type: text/plain

      hello
      --B
      Content-Disposition: form-data; name="1"; filename="b"
      Content-Type: application/octet-stream

      BYTES
      --B--

      """.replacing("\n", with: "\r\n").replacing("BYTES", with: "\0\r\n\u{FFFD}")
    #expect(body == expected)
  }

  @Test("A file that is used several times is sent in one part (H7)")
  func sharedPart() async throws {
    let file = try temporaryFile(Array("on disk".utf8))
    defer { try? FileManager.default.removeItem(at: file) }
    let again = Upload(file: file, filename: "f")
    let (_, body) = try await sent(
      attach(
        Input(
          file: text, extra: [Upload(file: file, filename: "f"), nil, text, again],
          named: ["x": again])))
    #expect(
      body.contains(
        #"{"0":["variables.input.file","variables.input.extra.2"],"1":["variables.input.extra.0","#
          + #""variables.input.extra.3","variables.input.named.x"]}"#))
    #expect(body.split(separator: "hello").count == 2)
    #expect(body.split(separator: "on disk").count == 2)
  }

  @Test("Files can be placed in untyped variables by path (H7)")
  func untyped() async throws {
    let operation = GraphQLOperation(
      "mutation A($input: I!, $top: Upload) { attach(input: $input, top: $top) }",
      variables: ["input": ["extra": [nil, 7], "note": "n"]],
      uploads: ["input.extra.1": text, "input.file": text, "top": other])
    let (_, body) = try await sent(operation)
    #expect(
      body.contains(
        #""variables":{"input":{"extra":[null,null],"file":null,"note":"n"},"top":null}"#))
    #expect(
      body.contains(
        #"{"0":["variables.input.extra.1","variables.input.file"],"1":["variables.top"]}"#))
  }

  @Test(
    "A path that does not exist in the variables is an error",
    arguments: [
      "input.extra.2", "input.extra.x", "input.note.x", "missing.file", "", "input.extra.-1",
    ])
  func noPlace(path: String) async throws {
    let transport = ScriptedTransport("")
    let operation = GraphQLOperation(
      Self.attach, variables: ["input": ["extra": [nil, nil], "note": "n"]], uploads: [path: text])
    #expect(try await client(transport).mutate(operation).error?.code == .variables)
    #expect(transport.requests.isEmpty)
  }

  @Test("File names are UTF-8 with three characters escaped, and default to the file's own")
  func filenames() async throws {
    let name = "zoë \"x\"\r\n;\\ %22.txt"
    let file = try temporaryFile([1], name: "ü \(UUID().uuidString).bin")
    defer { try? FileManager.default.removeItem(at: file) }
    let (_, body) = try await sent(
      attach(Input(file: Upload(bytes: [], filename: name), extra: [Upload(file: file)])))
    #expect(body.contains("; filename=\"zoë %22x%22%0D%0A;\\ %22.txt\"\r\n"))
    #expect(body.contains("; filename=\"\(file.lastPathComponent)\"\r\n"))
  }

  @Test("A query with a file is never a GET, and no timeout limits a long upload (H7)")
  func query() async throws {
    let query = GraphQLOperation(
      "query Q($f: Upload) { size(f: $f) }", variables: ["f": text]
    ).with { $0.prefersGET = true }
    let (request, _) = try await sent(query)
    #expect(request.method == .post)
    #expect(request.isIdempotent)
    #expect(request.timeout == nil)
    #expect(request.idleTimeout == .seconds(60))
    let (patient, _) = try await sent(query.with { $0.requestTimeout = .seconds(180) })
    #expect(patient.timeout == nil)
    #expect(patient.idleTimeout == .seconds(180))
  }

  @Test("A subscription with a file may be silent for any time (H7)")
  func subscription() async throws {
    let transport = ScriptedTransport(#"{"data":{"sizes":1}}"#)
    let sizes = GraphQLOperation(
      "subscription S($f: Upload) { sizes(f: $f) }", variables: ["f": text])
    var found: [Int64?] = []
    for await result in try client(transport).subscribe(sizes) {
      found.append(result.data?["sizes"]?.int)
    }
    #expect(found == [1])
    let request = try #require(transport.requests.first)
    #expect(request.streamedBody != nil)
    #expect(request.timeout == nil && request.idleTimeout == nil)
  }

  // MARK: Keys

  @Test("Operations with different files have different keys, equal files the same key (H7)")
  func keys() throws {
    let file = URL(filePath: "/files/a")
    func key(_ upload: Upload?, _ endpoint: String? = nil) -> OperationKey {
      attach(Input(file: upload)).with { $0.endpoint = endpoint.flatMap { URL(string: $0) } }.key
    }
    let keys = [
      key(nil), key(Upload(file: file)), key(Upload(file: URL(filePath: "/files/b"))),
      key(Upload(file: file, filename: "x")), key(Upload(file: file, mediaType: "x")), key(text),
      key(Upload(bytes: Array("hello".utf8), filename: "a.txt", mediaType: "text/plain")),
      key(text, "https://example.org"), key(Upload(file: file), "https://example.org"),
      attach(Input(extra: [Upload(file: file)])).key,
    ]
    #expect(Set(keys).count == keys.count)
    #expect(key(Upload(file: file)) == keys[1])
    #expect(key(text) == keys[5])
    #expect(key(text, "https://example.org") == keys[7])
  }

  @Test("Queries share a request only if they send the same file (H7)")
  func dedup() async throws {
    let transport = ScriptedTransport(#"{"data":{"size":1}}"#)
    let client = try client(transport)
    for upload in [text, other, text] {
      _ = await client.query(
        GraphQLOperation("query Q($f: Upload) { size(f: $f) }", variables: ["f": upload]))
    }
    #expect(transport.requests.count == 2)
  }
}

extension HTTPStreamedBody {
  func contents() throws -> [UInt8] {
    var reader = makeReader()
    var contents: [UInt8] = []
    while let chunk = try reader.next() { contents += chunk }
    return contents
  }
}
