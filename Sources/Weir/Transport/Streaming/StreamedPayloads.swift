/// Extracts the GraphQL payloads of a streamed body in either format.
///
/// - An event stream as in graphql-sse's distinct connections mode: `next` carries a payload,
///   `complete` ends the operation, and so does `error`, which carries errors. Events without a name count
///   as `next`.
/// - A multipart body with one payload in each part. `{}` is a heartbeat. The payload of a
///   subscription may be in a member `payload`; errors beside it come after it, and end the
///   subscription.
struct StreamedPayloads {
  enum Item {
    case payload(JSON)
    /// The server has ended the operation by the errors of this response.
    case failure(JSON)
    /// The server has ended the operation.
    case complete
  }

  private enum State {
    case reading
    /// The last payload was read; the errors of this response come before the end.
    case failing(JSON)
    case failed
    case complete
  }

  // One of the two is nil. An enum would copy the parser when it changes.
  private var events: EventStreamParser?
  private var parts: MultipartParser?
  private var state = State.reading
  private var isFinished = false
  /// Whether the event stream must end with a `complete` event: if its payloads are named, and if
  /// there were none.
  private var expectsCompletion = true

  /// - Returns: nil if bodies of this type are not streamed.
  init?(_ type: MediaType, limit: Int) {
    switch type.essence {
    case "text/event-stream":
      events = EventStreamParser(limit: limit)
    case "multipart/mixed":
      parts = MultipartParser(boundary: type["boundary"] ?? "-", limit: limit)
    default:
      return nil
    }
  }

  /// Adds the next chunk of the body, after all items of the previous chunk were taken.
  mutating func append(_ chunk: [UInt8]) {
    events?.append(chunk)
    parts?.append(chunk)
  }

  /// Notes that the body has ended in an orderly way.
  mutating func finish() {
    isFinished = true
    events?.finish()
    parts?.finish()
  }

  /// Returns the next item; nil if it needs more bytes. There are none after `complete`.
  mutating func next() throws(StreamFormatError) -> Item? {
    while true {
      switch state {
      case .complete: return nil
      case .failing(let response):
        state = .failed
        return .failure(response)
      case .failed: return complete()
      case .reading: break
      }
      if events != nil {
        guard let event = try events?.next() else { return try endOfEvents() }
        if let item = try read(event) { return item }
      } else {
        guard let part = try parts?.next() else {
          return parts?.isClosed == true ? complete() : nil
        }
        if let item = try payload(part) { return item }
      }
    }
  }

  /// How to resume the event stream after its connection was lost.
  var resumption: Resumption {
    guard let events else { return Resumption() }
    return Resumption(
      lastEventID: events.lastEventID,
      minimumDelay: events.retryMilliseconds.map { .milliseconds($0) })
  }

  private mutating func complete() -> Item {
    state = .complete
    return .complete
  }

  private mutating func endOfEvents() throws(StreamFormatError) -> Item? {
    guard isFinished else { return nil }
    guard !expectsCompletion else {
      throw StreamFormatError(.endedEarly, "The event stream ended without a complete event.")
    }
    return complete()
  }

  private mutating func read(_ event: EventStreamParser.Event) throws(StreamFormatError) -> Item? {
    switch event.name {
    case "next":
      expectsCompletion = true
    case "", "message":
      // A server that names its payloads may send a heartbeat without a name.
      guard !event.data.isEmpty, let item = try payload(event.data) else { return nil }
      expectsCompletion = false
      return item
    case "complete":
      return complete()
    case "error":
      expectsCompletion = false
      let report = event.data.isEmpty ? nil : try parsed(event.data)
      return .failure(try parsed(ReportedErrors.response(to: report)))
    default:
      return nil
    }
    return event.data.isEmpty ? nil : try payload(event.data)
  }

  private mutating func payload(_ bytes: [UInt8]) throws(StreamFormatError) -> Item? {
    let json = try parsed(bytes)
    if json.isNothing { return nil }
    guard json.kind == .object else {
      throw StreamFormatError(.badPayload, "A payload is not an object.")
    }
    guard let inner = json["payload"], json["data"] == nil else { return .payload(json) }
    // Without its payload, it is a response of errors.
    if let errors = json["errors"], !errors.isNull, !errors.isEmptyList {
      state = .failing(json)
      // Otherwise it would be an event, in which nothing has happened.
      if inner["data"]?.isNull ?? true, inner["errors"] == nil { return nil }
    }
    return inner.isNothing ? nil : .payload(inner)
  }

  private mutating func parsed(_ bytes: [UInt8]) throws(StreamFormatError) -> JSON {
    do throws(JSONError) {
      return try JSON(parsing: bytes)
    } catch {
      if events?.discardLastEvent() == true {
        throw StreamFormatError(.endedEarly, "The event stream ended within an event.")
      }
      throw StreamFormatError(.badPayload, "A payload is not JSON: \(error)")
    }
  }
}

extension JSON {
  fileprivate var isEmptyList: Bool { kind == .array && count == 0 }

  /// Whether the value is null or an empty object.
  fileprivate var isNothing: Bool { isNull || kind == .object && count == 0 }
}

/// How to resume an event stream after its connection was lost.
struct Resumption: Sendable {
  /// Whether an attempt that fails for a reason that may pass is followed by another one.
  var isRepeatable = false
  /// The id of the last event, for the header field `last-event-id`; empty to send none.
  var lastEventID: String?
  /// The minimum delay that the server asks for.
  var minimumDelay: Duration?

  /// Takes over the values of a later stream, and keeps those that it did not set.
  mutating func update(with newer: Resumption) {
    lastEventID = newer.lastEventID ?? lastEventID
    minimumDelay = newer.minimumDelay ?? minimumDelay
  }
}
