/// The results that one connection delivers.
///
/// The consumer pulls them, so nothing is read ahead. Releasing the feed ends the request.
protocol ResultFeed: Sendable {
  /// Returns the next result; nil at the end.
  ///
  /// - Throws: An error if the connection was lost or ended in a disorderly way; the feed has then
  ///   ended.
  func next() async throws(OperationError) -> OperationResult?

  /// How to resume the feed on another connection.
  var resumption: Resumption { get async }
}

/// The body of a streamed HTTP response, read chunk by chunk when the consumer asks for results.
///
/// An actor, so that parsing and merging do not run on the consumer's actor.
actor StreamedResponse: ResultFeed {
  private var body: HTTPBody.Iterator?
  private var payloads: StreamedPayloads
  private var assembler: ResultAssembler
  private let isSubscription: Bool
  private var hasUndelivered = false
  /// The response by whose errors the server has ended a subscription, after an event that is delivered first.
  private var ending: JSON?

  /// Creates the feed of a response; returns nil if a response of this type is not streamed, or has no
  /// body whatever its type. (An initializer that fails has already allocated the object.)
  static func ifStreamed(
    _ response: HTTPResponse, kind: GraphQLOperation.Kind, limit: Int,
    since start: ContinuousClock.Instant = .now
  ) -> StreamedResponse? {
    // Nearly every response is of an application type, none of which is streamed.
    guard response.status != 204, let mediaType = response.mediaType,
      !mediaType.hasPrefix("application/"),
      let payloads = StreamedPayloads(MediaType(mediaType), limit: limit)
    else { return nil }
    return StreamedResponse(
      response, payloads, kind, mediaType: mediaType, limit: limit, since: start)
  }

  private init(
    _ response: HTTPResponse, _ payloads: StreamedPayloads, _ kind: GraphQLOperation.Kind,
    mediaType: String, limit: Int, since start: ContinuousClock.Instant
  ) {
    self.payloads = payloads
    isSubscription = kind == .subscription
    assembler = ResultAssembler(
      kind: kind, limit: limit, mediaType: mediaType, head: HTTPStatusError(response),
      maximumAge: kind == .subscription ? nil : CacheControl.maximumAge(response.headers),
      since: start)
    body = response.body.makeAsyncIterator()
  }

  var resumption: Resumption { payloads.resumption }

  func next() async throws(OperationError) -> OperationResult? {
    while body != nil {
      do {
        if let result = try resultAtHand() { return result }
        guard body != nil else { return nil }
        try await read()
      } catch {
        body = nil
        return try assembler.fail(error)
      }
    }
    return nil
  }

  /// Returns the only result of a response with an error status: of a subscription its first one,
  /// otherwise its last one, which has all data; an error with the status if there is none.
  func onlyResult(of response: HTTPResponse) async -> OperationResult {
    defer { body = nil }
    do throws(OperationError) {
      if var result = try await next() {
        while !isSubscription, result.hasNext, let more = try await next() { result = more }
        let hasErrors = result.error?.graphQLErrors.isEmpty == false
        if result.data != nil || hasErrors || result.error?.code == .cancelled {
          result.hasNext = false
          return result
        }
      }
    } catch {
      if error.code == .cancelled { return .cancelled }
    }
    return OperationResult(error: OperationError(response))
  }

  /// Returns the next result of the bytes that have arrived.
  private func resultAtHand() throws -> OperationResult? {
    if let ending { return try end(with: ending) }
    while let item = try payloads.next() {
      switch item {
      case .failure(let response) where isSubscription:
        guard hasUndelivered else { return try end(with: response) }
        ending = response
        return try deliver()
      case .payload(let payload), .failure(let payload):
        if try assembler.append(payload) { hasUndelivered = true }
        if assembler.isFinal { body = nil }
        if hasUndelivered, !assembler.isWorthWaiting { return try deliver() }
      case .complete:
        body = nil
        return try assembler.complete() ?? (hasUndelivered ? deliver() : nil)
      }
    }
    return hasUndelivered && assembler.isDue ? try deliver() : nil
  }

  private func end(with response: JSON) throws -> OperationResult {
    body = nil
    return try assembler.end(with: response)
  }

  private func deliver() throws -> OperationResult {
    hasUndelivered = false
    return try assembler.result()
  }

  private func read() async throws {
    guard var iterator = body else { return }
    let chunk = try await iterator.next(isolation: self)
    body = iterator
    if let chunk { payloads.append(chunk) } else { payloads.finish() }
  }
}
