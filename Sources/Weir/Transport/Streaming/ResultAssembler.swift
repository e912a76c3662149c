import Foundation

/// Makes results of the payloads of one streamed response, and of its end.
///
/// Each result of a query or mutation contains all data so far; the one with `hasNext` false is the
/// last. Each event of a subscription is a result of its own; only if the server ends it by errors, these are
/// a result with `hasNext` false.
struct ResultAssembler {
  private let kind: GraphQLOperation.Kind
  private let head: HTTPStatusError?
  private let mediaType: String?
  private let maximumAge: Duration?
  private let start: ContinuousClock.Instant
  private var merge: IncrementalMerge
  private var budget: RewritingBudget
  /// Whether the last result is known.
  private(set) var isFinal = false

  /// - Parameters:
  ///   - kind: The kind of the operation.
  ///   - limit: The maximum size of the merged payloads of one response or event, in bytes.
  ///   - mediaType: The media type of the response.
  ///   - head: The status of the response if it is an error.
  ///   - maximumAge: For how long the response may be kept; nil if it does not say so.
  ///   - start: When the operation was sent.
  ///   - budget: Limits the work for results.
  init(
    kind: GraphQLOperation.Kind, limit: Int = .max, mediaType: String? = nil,
    head: HTTPStatusError? = nil, maximumAge: Duration? = nil,
    since start: ContinuousClock.Instant = .now, budget: RewritingBudget = RewritingBudget()
  ) {
    self.kind = kind
    self.maximumAge = maximumAge
    self.mediaType = mediaType
    self.head = head
    self.start = start
    self.budget = budget
    merge = IncrementalMerge(limit: limit, isSubscription: kind == .subscription)
  }

  /// Whether payloads that have already arrived should be merged before the next result.
  var isWorthWaiting: Bool { !isFinal && merge.isWorthWaiting }

  /// Whether the next result should be made even if no further payload has arrived.
  var isDue: Bool { !isWorthWaiting || budget.allows(merge.size) }

  /// Merges a payload.
  ///
  /// - Returns: Whether there is a new result. A subscription's payload that only says whether more
  ///   follows is not an event: its result would repeat the last one. Nor is an object without any of the
  ///   keys of a payload, such as a heartbeat.
  mutating func append(_ payload: JSON) throws(StreamFormatError) -> Bool {
    if isHeartbeat(payload) {
      if kind == .subscription, payload["hasNext"]?.bool == false { merge.end() }
      return false
    }
    try merge.append(payload)
    if kind != .subscription, merge.hasNext != true { isFinal = true }
    return true
  }

  /// Whether a payload brings nothing. A first payload that is unknown is an error; but a subscription's events
  /// may be preceded by extensions.
  private func isHeartbeat(_ payload: JSON) -> Bool {
    guard payload.kind == .object,
      !IncrementalMerge.payloadKeys.contains(where: { payload[$0] != nil })
    else { return false }
    guard kind == .subscription else { return !merge.isEmpty && payload["hasNext"] == nil }
    let known = (payload["hasNext"] == nil ? 0 : 1) + (payload["extensions"] == nil ? 0 : 1)
    return !merge.isEmpty || known > 0 && payload.count == known
  }

  /// Returns the result of all payloads so far.
  mutating func result() throws(OperationError) -> OperationResult {
    // The last payload must complete everything that was announced.
    if isFinal, merge.hasPending { return try fail(Self.incomplete) }
    let credit = isWorthWaiting ? budget.creditNow : nil
    defer { if let credit { budget.spend(merge.size, of: credit) } }
    do throws(JSONError) {
      let data = try merge.takeData()
      // Announced data that has not come is null.
      let isNull = data == nil && merge.errors.isEmpty && isFinal && kind != .subscription
      let errors = isNull ? [GraphQLResponse.nullWithoutError] : merge.errors
      return OperationResult(
        data: data, error: OperationError(errors, mediaType: mediaType, head: head),
        extensions: try merge.takeExtensions(), hasNext: !isFinal, timing: timing)
    } catch {
      throw OperationError(
        code: .malformedResponse,
        message: "The payloads do not form a valid response: \(error)",
        mediaType: mediaType, underlying: error)
    }
  }

  /// Handles the end of the operation that the server announced.
  ///
  /// - Returns: A last result if the previous one announced more; nil otherwise.
  mutating func complete() throws(OperationError) -> OperationResult? {
    guard kind != .subscription, !isFinal else { return nil }
    guard !merge.isEmpty else { return try fail(Self.incomplete) }
    isFinal = true
    return try result()
  }

  /// Returns the last result of a subscription that the server has ended by the errors of a response.
  mutating func end(with response: JSON) throws(OperationError) -> OperationResult {
    // They are not errors of the last event.
    merge.end()
    do throws(StreamFormatError) {
      try merge.append(response)
    } catch {
      return try fail(error)
    }
    isFinal = true
    return try result()
  }

  private static let incomplete = StreamFormatError(
    .endedEarly, "The server completed the response before it had sent all of it.")

  /// Handles the loss of the rest of the response.
  ///
  /// - Returns: The data so far with the error.
  /// - Throws: The error if this is a subscription: its events were delivered, and no data remains
  ///   to be returned with the error.
  mutating func fail(_ cause: any Error) throws(OperationError) -> OperationResult {
    let error = operationError(cause)
    guard kind != .subscription else { throw error }
    isFinal = true
    let all = error.adding(merge.errors)
    do throws(JSONError) {
      return OperationResult(
        data: try merge.takeData(), error: all, extensions: try merge.takeExtensions(),
        timing: timing)
    } catch {
      return OperationResult(error: all, timing: timing)
    }
  }

  /// A response that ends early counts as a lost connection, even if the connection was closed in
  /// an orderly way.
  private func operationError(_ cause: any Error) -> OperationError {
    switch cause {
    case let error as OperationError: return error
    case let error as StreamFormatError where error.code == .endedEarly:
      let lost = HTTPTransportError(.connectionLost, error.message, underlying: error)
      return OperationError(transport: lost, status: head?.status)
    case let error as StreamFormatError:
      return OperationError(
        code: .malformedResponse, message: error.message, httpStatus: head?.status,
        mediaType: mediaType, underlying: error)
    default:
      return OperationError(transport: HTTPTransportError(cause), status: head?.status)
    }
  }

  private var timing: ResultTiming {
    ResultTiming(
      receivedAt: Date(), duration: ContinuousClock.now - start, maximumAge: maximumAge)
  }
}

extension OperationError {
  /// Returns the error with the errors that the server had reported before.
  func adding(_ errors: [GraphQLError]) -> OperationError {
    guard !errors.isEmpty else { return self }
    return OperationError(
      code: code, message: message, graphQLErrors: errors, httpStatus: httpStatus,
      mediaType: mediaType, bodyPrefix: bodyPrefix, underlying: underlying)
  }
}
