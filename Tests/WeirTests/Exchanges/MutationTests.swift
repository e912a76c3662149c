import Testing
import Weir
import WeirTesting

@Suite("Mutations", .timeLimit(.minutes(10)))
struct MutationTests {
  @Test("Cancelling the caller returns immediately, and the result still reaches the caches (M1)")
  func cancelledCaller() async {
    let gate = Gate()
    let server = postServer { operation in if operation.kind == .mutation { await gate.pass() } }
    let client = GraphQLClient([.dedup, .documentCache, server])
    let watcher = Watcher(client.watch(postQuery()))
    #expect(await watcher.next(1) == ["title 1"])
    let mutation = Task { await client.mutate(updatePost) }
    await server.received(2)
    mutation.cancel()
    #expect(await mutation.value.error?.code == .cancelled)
    gate.open()
    #expect(await watcher.next(2) == ["title 1 stale", "title 2"])
  }

  @Test("A mutation whose caller is already cancelled is not sent (M1)")
  func cancelledBefore() async {
    let server = postServer()
    let client = GraphQLClient([server])
    let progress = UploadProgress()
    let cancelled = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await client.mutate(updatePost.with { $0.uploadProgress = progress })
    }
    #expect(await cancelled.value.error == .cancelled)
    for await _ in progress {}
    for _ in 0..<100 { await Task.yield() }
    #expect(server.operations.isEmpty)
  }

  @Test("With abortsWhenCancelled, cancelling the caller cancels the request (M1)")
  func abort() async {
    let aborted = Gate()
    let server = ScriptedExchange { _ in
      await Gate().pass()
      aborted.open()
      return updated
    }
    let client = GraphQLClient([.dedup, .documentCache, server])
    let mutation = Task { await client.mutate(updatePost.with { $0.abortsWhenCancelled = true }) }
    await server.received(1)
    mutation.cancel()
    #expect(await mutation.value.error?.code == .cancelled)
    await aborted.pass()
  }
}
