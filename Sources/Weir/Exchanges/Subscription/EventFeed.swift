/// Makes results of a subscription transport's payloads.
actor EventFeed: ResultFeed {
  private var events: SubscriptionEvents?
  private var assembler: ResultAssembler

  init(_ events: SubscriptionEvents, kind: GraphQLOperation.Kind) {
    self.events = events
    assembler = ResultAssembler(kind: kind)
  }

  var resumption: Resumption { Resumption() }

  func next() async throws(OperationError) -> OperationResult? {
    guard let events else { return nil }
    do {
      while let payload = try await events.next() {
        guard try assembler.append(payload) else { continue }
        if assembler.isFinal { self.events = nil }
        return try assembler.result()
      }
      self.events = nil
      return try assembler.complete()
    } catch {
      self.events = nil
      let isMalformed = error is StreamFormatError
      return try assembler.fail(
        isMalformed ? error : OperationError(subscriptionFailure: error))
    }
  }
}
