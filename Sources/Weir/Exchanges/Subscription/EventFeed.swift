/// Makes results of payloads.
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
        if assembler.isEnded { self.events = nil }
        return try assembler.result()
      }
      self.events = nil
      return try assembler.complete()
    } catch let error as StreamFormatError {
      self.events = nil
      return try assembler.fail(OperationError(stream: error))
    } catch {
      self.events = nil
      return try assembler.fail(OperationError(subscriptionFailure: error))
    }
  }
}
