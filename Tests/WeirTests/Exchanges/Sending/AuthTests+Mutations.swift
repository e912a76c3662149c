import Testing
import Weir
import WeirTesting

extension AuthTests {
  // MARK: - Mutations that the server may have executed

  /// The response to a rejected mutation, and how often it is sent.
  struct RejectedMutation: Sendable, CustomTestStringConvertible {
    var document = "mutation { a { id } b { id } }"
    var data: String?
    /// The paths of the errors, and the code of each.
    var errors: [(path: [String], code: String)]
    var status = 200
    let requests: Int

    var testDescription: String { "\(document) \(data ?? "no data") \(errors)" }
  }

  private static let rejected = "UNAUTHENTICATED"

  static let mutations: [RejectedMutation] = [
    // No field has run.
    RejectedMutation(errors: [([], rejected)], requests: 2),
    RejectedMutation(errors: [(["a"], rejected)], requests: 2),
    RejectedMutation(errors: [(["a"], rejected), (["b"], rejected)], requests: 2),
    RejectedMutation(
      data: #"{"__typename":"M","a":null,"b":null}"#,
      errors: [(["a"], rejected), (["b"], rejected)], requests: 2),
    RejectedMutation(data: #"{"a":null}"#, errors: [(["a"], "NO")], status: 401, requests: 2),
    RejectedMutation(data: #"{"a":null,"b":null}"#, errors: [([], rejected)], requests: 2),
    // A field has a value.
    RejectedMutation(
      data: #"{"a":{"id":"1"},"b":null}"#, errors: [(["b"], rejected)], requests: 1),
    // A field below the root was rejected, so the root field has run.
    RejectedMutation(data: #"{"a":null}"#, errors: [(["a", "id"], rejected)], requests: 1),
    RejectedMutation(errors: [(["a", "id"], rejected)], requests: 1),
    // A field has run, and its value is null.
    RejectedMutation(data: #"{"a":null,"b":null}"#, errors: [(["b"], rejected)], requests: 1),
    RejectedMutation(
      data: #"{"a":null}"#, errors: [([], "TIMEOUT"), ([], rejected)], requests: 1),
    // A field that cannot be null was rejected after another had run.
    RejectedMutation(errors: [(["b"], rejected)], requests: 1),
    // A field has failed for another reason, perhaps after it had changed something.
    RejectedMutation(
      data: #"{"a":null,"b":null}"#, errors: [(["a"], "INTERNAL"), (["b"], rejected)],
      requests: 1),
  ]

  @Test(
    "A rejected mutation is sent again only if the server has executed no part of it (A1)",
    arguments: mutations)
  func mutation(_ rejection: RejectedMutation) async throws {
    var members = rejection.data.map { [#""data":\#($0)"#] } ?? [#""data":null"#]
    let errors = rejection.errors.map { error in
      let path = error.path.map { #""\#($0)""# }.joined(separator: ",")
      let member = error.path.isEmpty ? "" : #","path":[\#(path)]"#
      return #"{"message":"No.","extensions":{"code":"\#(error.code)"}\#(member)}"#
    }
    members.append(#""errors":[\#(errors.joined(separator: ","))]"#)
    let body = "{\(members.joined(separator: ","))}"
    let transport = ScriptedTransport { request in
      request.headers["authorization"] == "new"
        ? HTTPResponse(
          status: 200, headers: ["content-type": "application/graphql-response+json"],
          body: HTTPBody(Array(#"{"data":{"a":{"id":"1"},"b":{"id":"2"}}}"#.utf8)))
        : HTTPResponse(
          status: rejection.status, headers: ["content-type": "application/graphql-response+json"],
          body: HTTPBody(Array(body.utf8)))
    }
    var fetch = FetchConfiguration()
    fetch.transport = transport
    let client = GraphQLClient([
      AuthExchange(configuration { _ in "new" }), .fetch(SessionHeadersTests.url, fetch),
    ])
    let result = await client.mutate(GraphQLOperation(GraphQLDocument(rejection.document)))
    #expect(transport.requests.count == rejection.requests)
    #expect((result.error == nil) == (rejection.requests == 2))
  }

  @Test("A mutation whose WebSocket is closed for its credentials is not sent again (A1, H6)")
  func closedSocket() async {
    let server = ScriptedExchange { _ in
      OperationResult(
        error: OperationError(
          code: .transport, message: "Closed.", underlying: SocketClosure(code: 4403)))
    }
    var configuration = configuration { _ in "new" }
    configuration.isRejection = { error, _ in
      (error.underlying as? SocketClosure)?.code == 4403
    }
    let client = GraphQLClient([AuthExchange(configuration), server])
    _ = await client.mutate(GraphQLOperation("mutation { a }"))
    #expect(server.operations.count == 1)
    _ = await client.query(GraphQLOperation("{ a }"))
    #expect(server.operations.count == 3)
  }
}
