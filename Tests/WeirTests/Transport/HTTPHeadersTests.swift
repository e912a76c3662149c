import Testing
import Weir

@Suite("HTTPHeaders")
struct HTTPHeadersTests {
  @Test("Fields are found by name in any case, and keep their order")
  func lookUp() {
    var headers: HTTPHeaders = ["Accept": "a", "X-Two": "1", "x-two": "2"]
    #expect(headers["ACCEPT"] == "a")
    #expect(headers["x-TWO"] == "1, 2")
    #expect(headers.values(of: "X-two") == ["1", "2"])
    #expect(headers["absent"] == nil)
    headers["x-two"] = "3"
    headers.add("accept", "b")
    #expect(headers.map(\.name) == ["Accept", "x-two", "accept"])
    headers["Accept"] = nil
    #expect(headers.map(\.value) == ["3"])
  }

  // A copy for each of these fields takes longer than the limit.
  @Test("Fields of one name are joined in linear time (H13)", .timeLimit(.minutes(10)))
  func many() {
    var headers = HTTPHeaders()
    for _ in 0..<600_000 { headers.add("age", "") }
    #expect(headers["age"]?.utf8.count == 2 * 599_999)
  }

  @Test("Replacing fields removes all earlier fields with the same name")
  func replace() {
    var headers: HTTPHeaders = ["A": "1", "B": "2", "a": "3"]
    headers.merge(["a": "4", "C": "5"])
    #expect(headers.map { "\($0.name)=\($0.value)" } == ["B=2", "a=4", "C=5"])
  }

  @Test("Equality ignores the case of names, but not of values")
  func equality() {
    let headers: HTTPHeaders = ["Authorization": "x"]
    #expect(headers == ["authorization": "x"])
    // Equal as strings, but other bytes.
    #expect(["x": "caf\u{e9}"] as HTTPHeaders != ["x": "cafe\u{301}"])
    #expect(headers.hashValue == (["AUTHORIZATION": "x"] as HTTPHeaders).hashValue)
    #expect(headers != ["authorization": "X"])
    #expect(headers != ["authorization-": "x"])
  }
}

@Suite("HTTPBody", .timeLimit(.minutes(10)))
struct HTTPBodyTests {
  private struct Failure: Error {}

  @Test("A body of bytes has one chunk, and an empty one has none")
  func bytes() async throws {
    #expect(try await HTTPBody([1, 2]).reduce(into: []) { $0.append($1) } == [[1, 2]])
    #expect(try await HTTPBody([]).reduce(into: []) { $0.append($1) } == [])
  }

  @Test("A body made from a sequence skips empty chunks")
  func sequence() async throws {
    let chunks = AsyncStream<[UInt8]> { continuation in
      for chunk in [[1], [], [2, 3], []] as [[UInt8]] { continuation.yield(chunk) }
      continuation.finish()
    }
    #expect(try await HTTPBody(chunks).reduce(into: []) { $0.append($1) } == [[1], [2, 3]])
  }

  @Test("Collecting stops at the limit and converts any error into a typed one")
  func collect() async throws {
    #expect(try await HTTPBody([1, 2, 3]).collect(upTo: 3) == [1, 2, 3])
    let tooLarge = await #expect(throws: HTTPTransportError.self) {
      try await HTTPBody([1, 2, 3]).collect(upTo: 2)
    }
    #expect(tooLarge?.code == .tooLarge)
    let failing = AsyncThrowingStream<[UInt8], any Error> { $0.finish(throwing: Failure()) }
    let other = await #expect(throws: HTTPTransportError.self) {
      try await HTTPBody(failing).collect()
    }
    #expect(other?.code == .other)
    #expect(other?.underlying is Failure)
  }
}
