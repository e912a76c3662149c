import Foundation
import Testing
import Weir
import WeirTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Text forms", .timeLimit(.minutes(10)))
struct TextFormTests {
  static let secret = "s3cret"
  static let url =
    URL(string: "https://ann:s3cret@example.com/graphql?variables=s3cret#s3cret")
    ?? URL(filePath: "/")

  /// Whether no text form of a value contains the secret, as text or as the numbers of its bytes.
  static func isSilent(_ value: Any) -> Bool {
    var dumped = ""
    dump(value, to: &dumped)
    return [dumped, "\(value)", String(reflecting: value)].allSatisfy {
      !$0.contains(secret) && !numbers(in: $0).contains(bytes)
    }
  }

  /// The bytes of the secret, as `dump` and interpolation write an array of them.
  static let bytes = secret.utf8.map { "\($0)" }.joined(separator: " ")

  /// The numbers in a text, separated by one space.
  static func numbers(in text: String) -> String {
    text.split { !$0.isNumber }.joined(separator: " ")
  }

  static let operation: GraphQLOperation = {
    var operation = GraphQLOperation(
      "query Q($a: String) { q(a: $a) }", variables: ["a": "s3cret"])
    operation.context.headers["authorization"] = "Bearer s3cret"
    operation.context.endpoint = url
    operation.context[Token.self] = secret
    return operation
  }()

  private enum Token: OperationContextKey { static let defaultValue = "" }

  @Test("No text of a header field, a request or a response contains a value or a body (H12)")
  func messages() {
    var request = HTTPRequest(
      url: Self.url, headers: ["Authorization": "Bearer s3cret"], body: Array("s3cret".utf8))
    #expect(Self.isSilent(request.headers))
    #expect(Self.isSilent(Array(request.headers)))
    #expect(Self.isSilent(request))
    #expect("\(request)" == "POST https://example.com/graphql?…")
    #expect("\(request.headers)" == "[Authorization]")
    request.streamedBody = HTTPStreamedBody([.bytes(Array("s3cret".utf8))])
    #expect(Self.isSilent(request))
    #expect(Self.isSilent(request.streamedBody as Any))
    let response = HTTPResponse(
      status: 200, headers: ["Set-Cookie": "id=s3cret"], body: HTTPBody(Array("s3cret".utf8)))
    #expect(Self.isSilent(response))
    #expect("\(response)".contains("Set-Cookie"))
    #expect(Self.isSilent(response.body))
    #expect("\(response.body)" == "6 bytes")
    let chunks = HTTPBody(AsyncStream { $0.yield(Array("s3cret".utf8)) })
    #expect(Self.isSilent(chunks))
    #expect("\(chunks)" == "a body that arrives in chunks")
  }

  @Test("No text of an operation contains its variables or the values of headers (H12)")
  func operations() {
    #expect(Self.isSilent(Self.operation))
    #expect(Self.isSilent(Self.operation.context))
    #expect("\(Self.operation.context)".contains("authorization"))
  }

  @Test("The text of a context names the settings of the execution")
  func contexts() {
    let context = OperationContext.cacheOnly.with {
      $0.additionalTypenames = ["Feed"]
      $0.storesResult = false
      $0.maximumAge = .seconds(7)
      $0.totalTimeout = .seconds(9)
      $0.requestTimeout = .seconds(8)
      $0.abortsWhenCancelled = true
      $0.prefersGET = true
      $0.isIdempotent = false
      $0.priority = .low
    }
    let text = "\(context)"
    for setting in [
      "RequestPolicy.cacheOnly", #"additionalTypenames: Set(["Feed"])"#, "storesResult: false",
      "7.0 seconds", "9.0 seconds", "8.0 seconds", "abortsWhenCancelled: true",
      "prefersGET: Optional(true)", "isIdempotent: Optional(false)",
      "OperationPriority(rawValue: -10)",
    ] { #expect(text.contains(setting), "\(text)") }
  }

  private struct Profile: Decodable, Sendable { let name: String }

  @Test("The text of a typed result does not contain its data")
  func typedResults() throws {
    let data = try JSON(parsing: Array(#"{"name":"s3cret"}"#.utf8))
    let result = TypedResult<Profile>(decoding: OperationResult(data: data))
    #expect(result.data?.name == Self.secret)
    #expect("\(result)" == "miss, 17 bytes of data")
    #expect(!String(reflecting: result).contains(Self.secret))
    let other = TypedResult<Int>(decoding: OperationResult(data: data))
    #expect("\(other)".hasPrefix("miss, 17 bytes of data, decoding: "))
  }

  @Test("The text of a snapshot tells its size, but contains no data")
  func snapshots() async throws {
    let (cache, recorder) = (DocumentCacheExchange(), SnapshotExchange())
    let server = ScriptedExchange { _ in .data(#"{"q":"s3cret"}"#) }
    let client = GraphQLClient([cache, recorder, server])
    _ = await client.query(GraphQLOperation("{ q }", variables: ["a": "s3cret"]))
    #expect(cache.snapshot().count == 1)
    #expect(Self.isSilent(cache.snapshot()))
    #expect("\(cache.snapshot())".hasPrefix("1 results, "))
    #expect(Self.isSilent(recorder.snapshot()))
    #expect("\(recorder.snapshot())" == "1 results")
  }

  @Test("An error's localized description is its message")
  func localizedDescriptions() {
    let error: any Error = OperationError(code: .timedOut, message: "Too slow.")
    #expect(error.localizedDescription == "Too slow.")
    let server: any Error = OperationError(graphQLErrors: [GraphQLError(message: "No such post.")])
    #expect(server.localizedDescription == "No such post.")
    let transport: any Error = HTTPTransportError(.offline, "No network.")
    #expect(transport.localizedDescription == "No network.")
    let json: any Error = JSONError(.trailingContent, offset: 3)
    #expect(json.localizedDescription == "\(json)")
    let decoding = #expect(throws: (any Error).self) {
      _ = try JSON(parsing: "1").decode(String.self)
    }
    #expect(decoding?.localizedDescription == decoding.map { "\($0)" })
    let encoding = #expect(throws: (any Error).self) { _ = try JSON.encode(Double.nan) }
    #expect(encoding?.localizedDescription == encoding.map { "\($0)" })
  }

  @Test("No text of an error contains the response's header fields or its body (H12)")
  func statusErrors() async {
    let transport = ScriptedTransport(
      "<html>s3cret</html>", status: 500, headers: ["Set-Cookie": "id=s3cret"])
    let client = GraphQLClient([.fetch(Self.url, transport: transport)])
    let error = await client.query(Self.operation).error
    #expect(error?.bodyPrefix?.contains(Self.secret) == true)
    #expect(error.map(Self.isSilent) == true)
    #expect(error?.underlying.map(Self.isSilent) == true)
  }

  @Test("No text of an error contains a value that does not fit its type (H12)")
  func decodingErrors() async throws {
    enum Role: String, Decodable, Sendable { case admin }
    struct User: Decodable, Sendable { var role: Role }
    struct Age: Decodable, Sendable { var role: Int8 }
    let client = GraphQLClient([
      ScriptedExchange.immediate { operation in
        .data(operation.name == "Age" ? #"{"role":300}"# : #"{"role":"s3cret"}"#)
      }
    ])
    let role = await client.query(Query<User, NoVariables>("query Role { role }")).error
    let error = try #require(role)
    #expect(error.code == .decoding && Self.isSilent(error))
    #expect(error.message.hasSuffix("refused the value; `underlying` says why. (at role)"))
    #expect((error.underlying as? JSONDecodingError)?.message.contains(Self.secret) == true)
    let age = await client.query(Query<Age, NoVariables>("query Age { role }")).error
    #expect(age?.message.hasSuffix("The number does not fit into Int8. (at role)") == true)
  }

  @Test("No text of a transport's error contains the URL's password or query items (H12)")
  func transportErrors() async throws {
    // Nothing listens on port 1.
    let url = try #require(URL(string: "http://ann:s3cret@127.0.0.1:1/graphql?variables=s3cret"))
    do {
      _ = try await URLSessionTransport.shared.send(HTTPRequest(method: .get, url: url))
    } catch {
      #expect(Self.isSilent(error))
      let underlying = try #require((error as? HTTPTransportError)?.underlying as? URLError)
      #expect(Self.isSilent(underlying))
      #expect(Self.isSilent(underlying.userInfo))
      #expect(underlying.code == .cannotConnectToHost)
      #expect(underlying.failingURL?.absoluteString == "http://127.0.0.1:1/graphql")
    }
  }

  @Test("Dumping a client shows none of the credentials that it holds (H12)")
  func clients() async {
    let auth = AuthExchange(
      AuthConfiguration(
        load: { Self.secret },
        attach: { $1.headers["authorization"] = "Bearer \($0)" },
        refresh: { $0 }))
    let transport = ScriptedTransport(#"{"data":{"q":"s3cret"}}"#)
    let client = GraphQLClient([
      .dedup, .documentCache, auth, .retry, .fetch(Self.url, transport: transport),
    ])
    _ = await client.query(Self.operation)
    #expect(transport.requests.first?.headers["authorization"] == "Bearer s3cret")
    #expect(Self.isSilent(client))
    #expect(Self.isSilent(transport))
  }
}
