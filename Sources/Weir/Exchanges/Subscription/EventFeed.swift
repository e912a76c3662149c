/// Makes results of a subscription transport's payloads.
actor EventFeed: ResultFeed {
  private var events: SubscriptionEvents?
  private var assembler: ResultAssembler
  private var hasUndelivered = false

  init(
    _ events: SubscriptionEvents, kind: GraphQLOperation.Kind, limit: Int,
    since start: ContinuousClock.Instant = .now
  ) {
    self.events = events
    assembler = ResultAssembler(kind: kind, limit: limit, since: start)
  }

  var resumption: Resumption { Resumption() }

  func next() async throws(OperationError) -> OperationResult? {
    while let next = events?.next {
      let payload: JSON?
      do {
        payload = try await next()
      } catch {
        return try failed(error)
      }
      if let result = try result(after: payload) { return result }
    }
    return nil
  }

  // Not inlined, so that nothing of these functions takes room while a payload is awaited.

  /// Returns the result that a payload makes; nil if it needs another.
  @inline(never)
  private func result(after payload: consuming JSON?) throws(OperationError) -> OperationResult? {
    do {
      guard let payload else {
        events = nil
        return try assembler.complete() ?? (hasUndelivered ? assembler.result() : nil)
      }
      if try assembler.append(payload) { hasUndelivered = true }
      if assembler.isFinal { events = nil }
      guard hasUndelivered, assembler.isDue else { return nil }
      hasUndelivered = false
      return try assembler.result()
    } catch {
      return try failed(error)
    }
  }

  @inline(never)
  private func failed(_ error: any Error) throws(OperationError) -> OperationResult {
    let ending = (error as? OperationError)?.underlying as? EndingResponse
    if ending != nil, hasUndelivered {
      // The next call throws the error again.
      hasUndelivered = false
      return try assembler.result()
    }
    events = nil
    if let ending { return try assembler.end(with: ending.json) }
    let isMalformed = error is StreamFormatError
    return try assembler.fail(isMalformed ? error : OperationError(subscriptionFailure: error))
  }
}
