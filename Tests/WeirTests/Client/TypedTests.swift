import Testing
import Weir
import WeirTesting

private struct PostData: Decodable, Equatable, Sendable {
  struct Post: Decodable, Equatable, Sendable { var title: String }
  var post: Post
}

private struct UpdateData: Decodable, Sendable { var updatePost: PostData.Post }

private struct PostID: Encodable, Sendable { var id: String? }

@Suite("Typed operations", .timeLimit(.minutes(10)))
struct TypedTests {
  private let query = Query<PostData, PostID>(
    "query Post($id: ID) { post(id: $id) { id title } }")
  private let newest = Query<PostData, NoVariables>("query Newest { post { id title } }")
  private let update = Mutation<UpdateData, NoVariables>("mutation { updatePost { id title } }")
  private let changes = Subscription<PostData, NoVariables>("subscription { post { title } }")

  @Test("Every way to execute decodes its data, and peek returns what is cached")
  func everyWay() async throws {
    let server = ScriptedExchange { operation in
      switch operation.kind {
      case .mutation: updated
      case .query, .subscription:
        post(String(decoding: operation.variables, as: UTF8.self).count > 2 ? "one" : "newest")
      }
    }
    let client = GraphQLClient([.dedup, .documentCache, server])
    #expect(client.peek(query, PostID(id: "1")) == nil)
    #expect(await client.query(query, PostID(id: "1")).data?.post.title == "one")
    #expect(await client.query(query, PostID(id: nil)).data?.post.title == "newest")
    #expect(client.peek(query, PostID(id: "1"))?.outcome == .hit)
    #expect(try await client.query(newest).get().post.title == "newest")
    var stages: [Bool] = []
    let both = OperationContext(requestPolicy: .cacheAndNetwork)
    for await result in client.results(of: query, PostID(id: "1"), context: both) {
      #expect(result.data?.post.title == "one")
      stages.append(result.isStale)
    }
    for await result in client.results(of: newest) { stages.append(result.isStale) }
    #expect(stages == [true, false, false])
    #expect(await client.mutate(update).data?.updatePost.title == "new")
    #expect(client.peek(newest) == nil)
    var events: [String?] = []
    for await event in client.subscribe(changes) { events.append(event.data?.post.title) }
    #expect(events == ["newest"])
    var watch = client.watch(newest).makeAsyncIterator()
    #expect(await watch.next()?.data?.post.title == "newest")
    client.invalidate(newest)
    #expect(await watch.next()?.isStale == true)
    #expect(await watch.next()?.isStale == false)
  }

  @Test("An operation whose document has another kind than its type is an error and is not sent")
  func otherKind() async {
    let server = ScriptedExchange { _ in post("sent") }
    let client = GraphQLClient([.dedup, .documentCache, server])
    let text: GraphQLDocument = "{ post { title } }"
    let mutation = Mutation<PostData, NoVariables>(text)
    #expect(await client.mutate(mutation).error?.code == .document)
    let query = Query<PostData, NoVariables>("mutation { post { title } }")
    #expect(await client.query(query).error?.code == .document)
    #expect(client.peek(query) == nil)
    let subscription = Subscription<PostData, NoVariables>(text)
    var errors: [OperationError.Code?] = []
    for await event in client.subscribe(subscription) { errors.append(event.error?.code) }
    #expect(errors == [.document])
    #expect(server.operations.isEmpty)
  }

  @Test("Data that cannot be decoded is an error, which includes the server's own errors")
  func misfit() async throws {
    let cause = OperationError(
      code: .graphQL, message: "Who?", graphQLErrors: [GraphQLError(message: "Who?")],
      httpStatus: 401, mediaType: "application/json")
    let data = try JSON(parsing: #"{"post":null}"#)
    for error in [nil, cause] {
      let client = GraphQLClient([
        .documentCache,
        ScriptedExchange { _ in
          OperationResult(data: data, error: error)
        },
      ])
      let result = await client.query(newest)
      #expect(result.data == nil && result.untyped.data == data && result.untyped.error == error)
      let failure = try #require(result.error)
      #expect(failure.code == .decoding && failure.underlying is JSONDecodingError)
      #expect(failure.message.contains("at post"))
      #expect(failure.message.contains("Who?") == (error != nil))
      #expect(failure.graphQLErrors == error?.graphQLErrors ?? [])
      #expect(failure.isUnauthenticated == (error != nil) && failure.mediaType == error?.mediaType)
      #expect(throws: failure) { try result.get(allowingPartialData: true) }
    }
  }

  struct Newest: Decodable, Sendable {
    struct Data: Decodable, Sendable { var post: String }
  }

  @Test("The error of data that does not fit names the type with the types around it")
  func misfitName() async {
    let client = GraphQLClient([ScriptedExchange { _ in .data(#"{"post":null}"#) }])
    let query = Query<Newest.Data, NoVariables>("{ post }")
    let message = await client.query(query).error?.message
    #expect(message?.contains("does not fit TypedTests.Newest.Data: ") == true)
  }

  @Test(
    "get() throws on partial data unless allowed, and if there is neither data nor error"
  )
  func partial() async throws {
    let half = OperationResult.data(
      #"{"post":{"title":"half"}}"#, errors: [GraphQLError(message: "no")])
    let client = GraphQLClient([.documentCache, ScriptedExchange.immediate { _ in half }])
    let result = await client.query(newest)
    #expect(throws: OperationError.self) { try result.get() }
    #expect(try result.get(allowingPartialData: true).post.title == "half")
    let nothing = await client.query(newest, context: OperationContext(requestPolicy: .cacheOnly))
    #expect(nothing.data == nil && nothing.error?.code == .notCached)
    #expect(throws: OperationError.self) { try nothing.get() }
  }
}
