/// Makes results of a subscription transport's payloads.
actor EventFeed: ResultFeed {
  private var events: SubscriptionEvents?
  private var assembler: ResultAssembler
  private var hasUndelivered = false

  init(_ events: SubscriptionEvents, kind: GraphQLOperation.Kind, limit: Int) {
    self.events = events
    assembler = ResultAssembler(kind: kind, limit: limit)
  }

  var resumption: Resumption { Resumption() }

  func next() async throws(OperationError) -> OperationResult? {
    guard let events else { return nil }
    do {
      while let payload = try await events.next() {
        guard try assembler.append(payload) else { continue }
        if assembler.isFinal { self.events = nil }
        hasUndelivered = !assembler.isDue
        if !hasUndelivered { return try assembler.result() }
      }
      self.events = nil
      return try assembler.complete() ?? (hasUndelivered ? assembler.result() : nil)
    } catch {
      self.events = nil
      let isMalformed = error is StreamFormatError
      return try assembler.fail(
        isMalformed ? error : OperationError(subscriptionFailure: error))
    }
  }
}
