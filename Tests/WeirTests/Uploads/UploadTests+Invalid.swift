import Foundation
import Testing
import Weir

extension UploadTests {
  // MARK: Invalid uploads

  @Test("A file that cannot be sent is a typed error, and nothing is sent (H7)")
  func refused() async throws {
    let folder = FileManager.default.temporaryDirectory
    let web = try #require(URL(string: "https://example.org/x"))
    let device = URL(filePath: "/dev/zero")
    let missing = folder.appending(path: "weir-test-\(UUID().uuidString)")
    for (upload, reason) in [
      (Upload(file: missing), UploadError.Reason.missing), (Upload(file: folder), .notAFile),
      (Upload(file: web), .notAFile), (Upload(file: device), .notAFile),
      (Upload(bytes: [], filename: "x", mediaType: "text/plain\r\nX: y"), .mediaType),
      (Upload(bytes: [], filename: "x", mediaType: ""), .mediaType),
    ] {
      let transport = ScriptedTransport("")
      let error = try await client(transport).mutate(attach(Input(extra: [text, upload]))).error
      #expect(error?.code == .upload, "\(reason)")
      let cause = error?.underlying as? UploadError
      #expect(cause?.reason == reason)
      #expect(cause?.path == "input.extra.1")
      #expect(error?.description.contains(folder.path()) == false)
      #expect(transport.requests.isEmpty)
    }
  }

  @Test("The map counts the elements of a list that was written in two containers (H7)")
  func listInTwoParts() async throws {
    struct Variables: Encodable {
      enum Keys: CodingKey { case input, extra }
      let uploads: [Upload]

      func encode(to encoder: any Encoder) throws {
        var variables = encoder.container(keyedBy: Keys.self)
        var input = variables.nestedContainer(keyedBy: Keys.self, forKey: .input)
        for upload in uploads {
          var list = input.nestedUnkeyedContainer(forKey: .extra)
          try list.encode("note")
          try list.encode(upload)
          #expect(list.codingPath.count == 2)
        }
      }
    }
    let uploads = [text, other, text]
    let operation = GraphQLOperation(Self.attach, variables: Variables(uploads: uploads))
    let (_, body) = try await sent(operation)
    #expect(body.contains(#""extra":["note",null,"note",null,"note",null]"#))
    let map =
      #"{"0":["variables.input.extra.1","variables.input.extra.5"],"1":["variables.input.extra.3"]}"#
    #expect(body.contains(map))
  }

  @Test("A file that shrinks while it is read is an error, and one that grows is truncated")
  func changed() throws {
    let file = try temporaryFile([1, 2, 3])
    defer { try? FileManager.default.removeItem(at: file) }
    let longer = HTTPStreamedBody([.bytes([0]), .file(file, length: 4)])
    #expect(longer.length == 5)
    var error = #expect(throws: UploadError.self) { try longer.contents() }
    #expect(error?.reason == .changed)
    #expect(try HTTPStreamedBody([.file(file, length: 2), .bytes([9])]).contents() == [1, 2, 9])
    try FileManager.default.removeItem(at: file)
    // The byte before it may have been sent.
    error = #expect(throws: UploadError.self) { try longer.contents() }
    #expect(error?.reason == .changed)
  }

  @Test("The error of a file that shrinks during an upload names its path in the variables")
  func changedPlace() async throws {
    let files = [try temporaryFile([1]), try temporaryFile([1, 2, 3])]
    defer { for file in files { try? FileManager.default.removeItem(at: file) } }
    let transport = ScriptedTransport { request in
      try Data([1]).write(to: files[1])
      _ = try request.streamedBody?.contents()
      return HTTPResponse(status: 200, body: HTTPBody(Array(#"{"data":{}}"#.utf8)))
    }
    let operation = attach(Input(file: Upload(file: files[0]), extra: [Upload(file: files[1])]))
    let error = try await client(transport).query(operation).error
    #expect(error?.code == .upload)
    #expect((error?.underlying as? UploadError)?.reason == .changed)
    #expect((error?.underlying as? UploadError)?.path == "input.extra.0")
  }

  #if os(Linux)
    @Test(
      "A request whose body cannot be written to disk is a typed error (H7)",
      arguments: [false, true])
    func temporaryStorage(isFull: Bool) async throws {
      // In a process of its own, because other tests write files, too.
      await #expect(processExitsWith: .success) { [isFull] in
        if isFull {
          // No file can grow beyond 10 KB.
          signal(SIGXFSZ, SIG_IGN)
          var limit = rlimit(rlim_cur: 10_000, rlim_max: 10_000)
          #expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
        } else {
          setenv("TMPDIR", "/nowhere", 1)
        }
        let large = Upload(bytes: [UInt8](repeating: 120, count: 100_000), filename: "x")
        let operation = UploadTests().attach(Input(file: large))
        // Nothing listens on this port.
        let url = try #require(URL(string: "http://127.0.0.1:1/"))
        let error = await GraphQLClient([.fetch(url)]).mutate(operation).error
        #expect(error?.code == .upload)
        let cause = error?.underlying as? UploadError
        #expect(cause?.reason == .temporaryStorage)
        #expect((cause?.underlying != nil) == isFull)
      }
    }
  #endif

  @Test("A streamed body is read in chunks of bounded size")
  func chunks() throws {
    let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let file = try temporaryFile(bytes)
    defer { try? FileManager.default.removeItem(at: file) }
    let body = HTTPStreamedBody([
      .bytes([]), .bytes(bytes), .file(file, length: bytes.count), .file(file, length: 0),
    ])
    var reader = body.makeReader()
    var read: [UInt8] = []
    while let chunk = try reader.next() {
      #expect((1...65_536).contains(chunk.count))
      read += chunk
    }
    #expect(read == bytes + bytes)
    #expect(body.length == read.count)
  }

  @Test("A file that disappears while a body is sent has changed, because something was sent")
  func disappearing() throws {
    let file = try temporaryFile([1, 2, 3])
    let body = HTTPStreamedBody([.bytes([0]), .file(file, length: 3)])
    var (reader, late) = (
      body.makeReader(), HTTPStreamedBody([.file(file, length: 3)]).makeReader()
    )
    #expect(try reader.next() == [0])
    try FileManager.default.removeItem(at: file)
    #expect(#expect(throws: UploadError.self) { try reader.next() }?.reason == .changed)
    #expect(#expect(throws: UploadError.self) { try late.next() }?.reason == .unreadable)
  }

  @Test("Encoding an upload outside of variables is an error, not a lost file")
  func elsewhere() {
    #expect(throws: (any Error).self) { try JSON.encode(["x": text]) }
    #expect(throws: (any Error).self) { try JSONValue(encoding: ["x": text]) }
    #expect(throws: (any Error).self) { try JSONEncoder().encode(["x": text]) }
  }
}
