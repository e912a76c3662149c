/// One request, sent in the consumer's task when the consumer asks.
final class FetchSource: AwaitedSource {
  private let sender: RequestSender
  private let operation: GraphQLOperation
  private var isSent = false
  /// The results of a streamed response.
  private var feed: (any ResultFeed)?

  init(_ sender: RequestSender, _ operation: GraphQLOperation) {
    self.sender = sender
    self.operation = operation
  }

  /// A complete response is a single result.
  override var isAtEnd: Bool { isSent && feed == nil }

  override func next() async -> OperationResult? {
    if !isSent {
      isSent = true
      let actor: (any Actor)? = #isolation
      // On no actor there is none to leave.
      let response =
        actor == nil
        ? await sender.response(to: operation) : await sender.responseApart(to: operation)
      if let result = took(response) { return result }
    }
    return feed == nil ? nil : await nextOfFeed()
  }

  /// Returns the only result, if it is one that the consumer may see.
  @inline(never)
  private func took(_ response: OperationResponse) -> OperationResult? {
    switch response {
    case .result(let result): return delivered(result)
    case .feed(let feed):
      self.feed = feed
      return nil
    }
  }

  @inline(never)
  private func nextOfFeed() async -> OperationResult? {
    do throws(OperationError) {
      return delivered(try await feed?.next())
    } catch {
      return delivered(OperationResult(error: error))
    }
  }

  /// A cancelled consumer has left; a request that was cancelled for another reason is an error.
  @inline(never)
  private func delivered(_ result: consuming OperationResult?) -> OperationResult? {
    result?.error?.code == .cancelled && Task.isCancelled ? nil : result
  }
}
