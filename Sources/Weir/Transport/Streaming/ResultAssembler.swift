import Foundation

/// What a payload has at least one of that is a subscription's event, or a part of one.
private let eventKeys = ["data", "errors", "path", "incremental", "pending", "completed"]

/// Makes results of the payloads of one streamed response, and of the way it ends.
///
/// Each result of a query or mutation is all that is there so far; the one that says so
/// (`hasNext` false) is the last. Each event of a subscription is a result of its own.
struct ResultAssembler {
  private let kind: GraphQLOperation.Kind
  private let head: HTTPStatusError?
  private let mediaType: String?
  private let start = ContinuousClock.now
  private var merge = IncrementalMerge()
  private var isFinal = false

  init(kind: GraphQLOperation.Kind, mediaType: String? = nil, head: HTTPStatusError? = nil) {
    self.kind = kind
    self.mediaType = mediaType
    self.head = head
  }

  /// Whether nothing more will come.
  var isEnded: Bool { isFinal }

  /// Whether merging what is at hand already should go before the next result.
  var isWorthWaiting: Bool { !isFinal && merge.isWorthWaiting }

  /// - Returns: Whether it brings anything. Of a subscription, what says only whether more comes is
  ///   no event, nor is what has nothing of one, such as extensions alone: it would repeat the last.
  mutating func append(_ payload: JSON) throws(StreamFormatError) -> Bool {
    if kind == .subscription, payload.kind == .object {
      if payload.count == 1, payload["hasNext"] != nil { return false }
      let isBetweenEvents = !merge.isEmpty && merge.hasNext != true
      if isBetweenEvents, !eventKeys.contains(where: { payload[$0] != nil }) { return false }
    }
    try merge.append(payload)
    if kind != .subscription, merge.hasNext != true { isFinal = true }
    return true
  }

  /// The result of all payloads so far.
  mutating func result() throws(OperationError) -> OperationResult {
    // The last one must not leave open what was announced.
    if isFinal, merge.hasPending { return try fail(incomplete) }
    do throws(JSONError) {
      return OperationResult(
        data: try merge.takeData(),
        error: merge.errors.isEmpty
          ? nil : OperationError(graphQLErrors: merge.errors, mediaType: mediaType, head: head),
        extensions: try merge.takeExtensions(), hasNext: !isFinal, timing: timing)
    } catch {
      throw OperationError(
        code: .malformedResponse, message: "The payloads make no valid response: \(error)",
        mediaType: mediaType, underlying: error)
    }
  }

  /// The server has said that this was all.
  ///
  /// - Returns: a last result, if the one before announced more; nil if there is nothing to add.
  mutating func complete() throws(OperationError) -> OperationResult? {
    guard kind != .subscription, !isFinal else { return nil }
    guard !merge.isEmpty else { return try fail(incomplete) }
    isFinal = true
    return try result()
  }

  private var incomplete: OperationError {
    OperationError(
      stream: StreamFormatError(
        .endedEarly, "The response was completed before all of it had come."),
      mediaType: mediaType, head: head)
  }

  /// The rest is lost.
  ///
  /// - Returns: what is there, with the error beside it.
  /// - Throws: the error, if this is a subscription: its events were delivered, and there are no
  ///   data that the error could stand beside.
  mutating func fail(_ error: OperationError) throws(OperationError) -> OperationResult {
    guard kind != .subscription else { throw error }
    isFinal = true
    let all = error.beside(merge.errors)
    do throws(JSONError) {
      return OperationResult(
        data: try merge.takeData(), error: all, extensions: try merge.takeExtensions(),
        timing: timing)
    } catch {
      return OperationResult(error: all, timing: timing)
    }
  }

  private var timing: ResultTiming {
    ResultTiming(receivedAt: Date(), duration: ContinuousClock.now - start)
  }
}

extension OperationError {
  /// What is wrong with a streamed response. One that ends early is a lost connection, whether or
  /// not the connection was closed in an orderly way.
  init(stream error: StreamFormatError, mediaType: String? = nil, head: HTTPStatusError? = nil) {
    guard error.code == .endedEarly else {
      self.init(
        code: .malformedResponse, message: error.message, httpStatus: head?.status,
        mediaType: mediaType, underlying: error)
      return
    }
    self.init(
      transport: HTTPTransportError(.connectionLost, error.message, underlying: error),
      status: head?.status)
  }

  /// The same, with what the server had reported before.
  fileprivate func beside(_ errors: [GraphQLError]) -> OperationError {
    guard !errors.isEmpty else { return self }
    return OperationError(
      code: code, message: message, graphQLErrors: errors, httpStatus: httpStatus,
      mediaType: mediaType, bodyPrefix: bodyPrefix, underlying: underlying)
  }
}
