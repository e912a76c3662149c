/// The results that one connection brings.
///
/// Pulled by its consumer, so nothing is read that nobody asked for. Letting go of it ends the
/// request.
protocol ResultFeed: Sendable {
  /// The next result; nil at the end.
  ///
  /// - Throws: if the connection is lost, or its end is no orderly one; then there are no more.
  func next() async throws(OperationError) -> OperationResult?

  /// What was learned about coming back.
  var resumption: Resumption { get async }
}

/// The body of a streamed HTTP response, read chunk by chunk as its consumer asks for results.
///
/// An actor, so that parsing and merging leave the consumer's own one alone.
actor StreamedResponse: ResultFeed {
  private var body: HTTPBody.Iterator?
  private var payloads: StreamedPayloads
  private var assembler: ResultAssembler
  private var hasUndelivered = false

  private let mediaType: String?
  private let head: HTTPStatusError?

  /// - Returns: nil if a response of this type is not streamed.
  init?(_ response: HTTPResponse, kind: GraphQLOperation.Kind, limit: Int) {
    mediaType = response.headers["content-type"]
    guard let mediaType, let payloads = StreamedPayloads(MediaType(mediaType), limit: limit) else {
      return nil
    }
    head = HTTPStatusError(response)
    self.payloads = payloads
    assembler = ResultAssembler(kind: kind, mediaType: mediaType, head: head)
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
        return try assembler.fail(operationError(error))
      }
    }
    return nil
  }

  /// What comes of a response with an error status: its first result, or the status.
  func onlyResult(of response: HTTPResponse) async -> OperationResult {
    defer { body = nil }
    do throws(OperationError) {
      if var result = try await next(),
        result.data != nil || result.error?.graphQLErrors.isEmpty == false
      {
        result.hasNext = false
        return result
      }
    } catch {
      if error.code == .cancelled { return .cancelled }
    }
    return OperationResult(error: OperationError(status: response))
  }

  /// What the bytes that are there come to.
  private func resultAtHand() throws -> OperationResult? {
    while let item = try payloads.next() {
      switch item {
      case .payload(let payload):
        guard try assembler.append(payload) else { continue }
        if assembler.isEnded { body = nil }
        hasUndelivered = true
        if !assembler.isWorthWaiting { return try deliver() }
      case .complete:
        body = nil
        return hasUndelivered ? try deliver() : try assembler.complete()
      }
    }
    return hasUndelivered ? try deliver() : nil
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

  private func operationError(_ error: any Error) -> OperationError {
    switch error {
    case let error as OperationError: error
    case let error as StreamFormatError:
      OperationError(stream: error, mediaType: mediaType, head: head)
    default: OperationError(transport: HTTPTransportError(error), status: head?.status)
    }
  }
}
