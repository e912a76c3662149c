import Weir

/// The messages of "GraphQL over Server-Sent Events", distinct connections mode.
enum EventStream {
  static func next(_ response: LocalResponse) -> [UInt8] {
    Array("event: next\ndata: ".utf8) + response.json.compactBytes + Array("\n\n".utf8)
  }

  static let complete = Array("event: complete\ndata:\n\n".utf8)
}

extension HTTPResponse {
  static func eventStream(_ body: HTTPBody) -> HTTPResponse {
    HTTPResponse(
      status: 200,
      headers: ["content-type": "text/event-stream", "cache-control": "no-cache"], body: body)
  }
}

/// The body of a subscription's response, which produces a chunk for each event when it is read.
///
/// It runs in the task of the reader, so it releases the source of events when the reader stops.
struct EventStreamBody: AsyncSequence, Sendable {
  let execution: Execution
  let events: LocalResolvers.Events

  func makeAsyncIterator() -> Iterator {
    Iterator(execution: execution, nextEvent: events())
  }

  struct Iterator: AsyncIteratorProtocol {
    let execution: Execution
    let nextEvent: LocalResolvers.NextEvent
    var isComplete = false

    mutating func next(isolation: isolated (any Actor)?) async throws -> [UInt8]? {
      if isComplete { return nil }
      do {
        if let event = try await nextEvent(isolation) {
          return EventStream.next(await execution.response(event: event))
        }
        try Task.checkCancellation()
        isComplete = true
        return EventStream.complete
      } catch {
        try Task.checkCancellation()
        isComplete = true
        let response = LocalResponse(RequestErrors([execution.eventError(error)]))
        return EventStream.next(response) + EventStream.complete
      }
    }

    mutating func next() async throws -> [UInt8]? {
      try await next(isolation: #isolation)
    }
  }
}
