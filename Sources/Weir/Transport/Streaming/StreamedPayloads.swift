/// Reads the GraphQL payloads of a streamed body, whichever of the two forms it has.
///
/// - An event stream as graphql-sse has it in its distinct connections mode: `next` brings a payload,
///   `complete` ends the operation, `error` brings errors. Events without a name count as `next`.
/// - A multipart body, one payload a part. `{}` is a heart-beat. A subscription's payload may lie in
///   a member `payload`; errors beside that come after it, and end the subscription.
struct StreamedPayloads {
  enum Item {
    case payload(JSON)
    /// The server says that this was all.
    case complete
  }

  /// One of the two; apart, so that each is changed in place.
  private var events: EventStreamParser?
  private var parts: MultipartParser?
  private var isFinished = false
  private var isComplete = false
  /// Whether the payload before was the last one, by what it said.
  private var hasFailed = false
  /// The errors that stood beside that payload, if it was an event by itself.
  private var lastErrors: JSON?
  /// Whether the last event will have a name, which is so if others had one. A stream without any
  /// event did not end by itself either.
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

  /// Takes the next chunk of the body, after all items of the one before were taken.
  mutating func append(_ chunk: [UInt8]) {
    events?.append(chunk)
    parts?.append(chunk)
  }

  /// The body has ended in an orderly way.
  mutating func finish() {
    isFinished = true
    events?.finish()
    parts?.finish()
  }

  /// The next item; nil if more bytes are needed. After `complete` there are none.
  mutating func next() throws(StreamFormatError) -> Item? {
    while !isComplete {
      if let lastErrors {
        self.lastErrors = nil
        return .payload(lastErrors)
      }
      if hasFailed { return complete() }
      if events != nil {
        guard let event = try events?.next() else { return try endOfEvents() }
        if let item = try read(event) { return item }
      } else {
        guard let part = try parts?.next() else {
          return parts?.isClosed == true ? complete() : nil
        }
        if let item = try payload(part.body) { return item }
      }
    }
    return nil
  }

  /// Where to take up an event stream that was lost.
  var resumption: Resumption {
    guard let events else { return Resumption() }
    return Resumption(
      lastEventID: events.lastEventID,
      minimumDelay: events.retryMilliseconds.map { .milliseconds($0) })
  }

  private mutating func complete() -> Item {
    isComplete = true
    return .complete
  }

  private mutating func endOfEvents() throws(StreamFormatError) -> Item? {
    guard isFinished else { return nil }
    // A server that names its events sends `complete`; of others the end is all there is.
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
      expectsCompletion = false
    case "complete":
      return complete()
    case "error":
      expectsCompletion = false
      return .payload(try errors(in: event.data))
    default:
      return nil
    }
    return event.data.isEmpty ? nil : try payload(event.data)
  }

  private mutating func payload(_ bytes: [UInt8]) throws(StreamFormatError) -> Item? {
    let json = try parsed(bytes)
    guard json.kind == .object, json.count > 0 else {
      if json.kind == .object || json.isNull { return nil }
      throw StreamFormatError(.badPayload, "A payload is not an object.")
    }
    guard let inner = json["payload"], json["data"] == nil else { return .payload(json) }
    let errors = json["errors"].flatMap { $0.isNull || $0.isEmptyList ? nil : $0 }
    hasFailed = errors != nil
    // Null or empty: no event, whatever was the one before.
    guard !inner.isNull, inner.kind != .object || inner.count > 0 else {
      return hasFailed ? .payload(json) : nil
    }
    if let errors { lastErrors = try response(errors: errors) }
    return .payload(inner)
  }

  /// A list of errors, or a response, as a payload.
  private func errors(in bytes: [UInt8]) throws(StreamFormatError) -> JSON {
    let json = try parsed(bytes)
    return json.kind == .array ? try response(errors: json) : json
  }

  private func response(errors: JSON) throws(StreamFormatError) -> JSON {
    try parsed(Array(#"{"errors":"#.utf8) + errors.bytes + [UInt8(ascii: "}")])
  }

  private func parsed(_ bytes: [UInt8]) throws(StreamFormatError) -> JSON {
    do throws(JSONError) {
      return try JSON(parsing: bytes)
    } catch {
      throw StreamFormatError(.badPayload, "A payload is not JSON: \(error)")
    }
  }
}

extension JSON {
  fileprivate var isEmptyList: Bool { kind == .array && count == 0 }
}

/// What a lost stream says about coming back.
struct Resumption: Sendable {
  /// The last event's id, for the header field `last-event-id`; empty to send none.
  var lastEventID: String?
  /// How long the server asks to wait at least.
  var minimumDelay: Duration?

  /// Takes over what the next stream has said before it was lost in its turn; what it left open holds
  /// on.
  mutating func update(with newer: Resumption) {
    lastEventID = newer.lastEventID ?? lastEventID
    minimumDelay = newer.minimumDelay ?? minimumDelay
  }
}
