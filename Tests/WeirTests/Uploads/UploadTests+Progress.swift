import Testing
import Weir

extension UploadTests {
  // MARK: Progress

  @Test("Progress reports the newest step and ends with the execution", arguments: [true, false])
  func progress(succeeds: Bool) async throws {
    let transport = ScriptedTransport { request in
      let body = try #require(request.streamedBody)
      for sent in [1, 2, body.length] { body.reportProgress?(sent) }
      guard succeeds else { throw HTTPTransportError(.connectionLost, "") }
      return HTTPResponse(status: 200, body: HTTPBody(Array(#"{"data":{}}"#.utf8)))
    }
    let progress = UploadProgress()
    var context = OperationContext()
    context.uploadProgress = progress
    let result = try await client(transport).mutate(attach(Input(file: text), context: context))
    #expect((result.error == nil) == succeeds)
    var steps: [UploadProgress.Step] = []
    for await step in progress { steps.append(step) }
    let length = try #require(transport.requests.first?.streamedBody?.length)
    #expect(steps.map(\.sentBytes) == [length])
    #expect(steps.map(\.totalBytes) == [length])
    #expect(steps.first?.fraction == 1)
  }

  @Test("Progress ends even if nothing is sent")
  func noProgress() async throws {
    let progress = UploadProgress()
    let transport = ScriptedTransport("")
    let broken = GraphQLOperation("mutation {").with { $0.uploadProgress = progress }
    _ = try await client(transport).mutate(broken)
    #expect(await progress.reduce(0) { count, _ in count + 1 } == 0)
  }

  @Test("Progress ends with a stream of results")
  func streamedProgress() async throws {
    let progress = UploadProgress()
    let transport = ScriptedTransport(#"{"data":{}}"#)
    let query = GraphQLOperation("{ a }").with { $0.uploadProgress = progress }
    for await _ in try client(transport).results(of: query) {}
    #expect(await progress.reduce(0) { count, _ in count + 1 } == 0)
  }
}
