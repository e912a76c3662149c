public import Foundation

/// Records the events of debug exchanges, and writes them as a trace that Perfetto
/// (ui.perfetto.dev) and `chrome://tracing` show on a timeline.
///
/// ```swift
/// let trace = TraceRecorder()
/// let client = GraphQLClient([
///   .debug("app", trace: trace), .dedup, .documentCache, .debug("network", trace: trace),
///   .fetch(url),
/// ])
/// // … when something was slow:
/// try trace.write(to: URL(filePath: "app.trace.json"))
/// ```
///
/// Each exchange is a track, each execution a span from its start to its end with a mark for each
/// result. The trace contains names, keys, policies, outcomes and error codes, but never data,
/// variables, header fields or messages.
public final class TraceRecorder: Sendable {
  private struct State {
    var events: [DebugExchange.Event] = []
    /// The position of the oldest event once `events` is full.
    var oldest = 0
  }

  private let maximumCount: Int
  private let state = Locked(State())

  /// Makes a recorder.
  ///
  /// - Parameter maximumCount: The maximum number of events; the oldest are dropped first. Default
  ///   100,000. An event occupies about 100 bytes, in addition to the operation and the result,
  ///   which it shares.
  public init(maximumCount: Int = 100_000) {
    self.maximumCount = max(maximumCount, 1)
  }

  /// Records an event; use it as the `report` closure of a debug exchange.
  public func record(_ event: DebugExchange.Event) {
    var event = event
    state.withLock { state in
      if state.events.count < maximumCount {
        state.events.append(event)
      } else {
        // The oldest event is released without the lock: the user's code may run then.
        swap(&state.events[state.oldest], &event)
        state.oldest = (state.oldest + 1) % maximumCount
      }
    }
  }

  /// The trace in the JSON object form of the Trace Event Format: nestable asynchronous events,
  /// with times in microseconds.
  public var json: [UInt8] {
    let events = state.withLock { Array($0.events[$0.oldest...] + $0.events[..<$0.oldest]) }
    var writer = TraceWriter()
    for event in events { writer.append(event) }
    return writer.finished()
  }

  /// Writes the trace to a file, which it replaces in one step.
  ///
  /// - Throws: The error of Foundation if the file cannot be written.
  public func write(to file: URL) throws {
    try Data(json).write(to: file, options: .atomic)
  }
}

/// Writes trace events one after the other.
private struct TraceWriter {
  private var output = Array(#"{"displayTimeUnit":"ms","traceEvents":["#.utf8)
  private var tracks: [Track: Int] = [:]
  private var isEmpty = true

  /// Exchanges of equal names, such as those of two clients, have tracks of their own.
  private struct Track: Hashable {
    let exchange: UInt64
    let name: String
  }

  mutating func append(_ event: DebugExchange.Event) {
    let track = track(of: event)
    let operation = event.operation
    var fields: JSONObject = [
      "cat": .string(event.exchange),
      "pid": 1,
      "tid": .int(Int64(track)),
      "id": .string("\(track)-\(event.execution)"),
      "ts": .double(event.time / .microseconds(1)),
      "name": .string("\(operation.kind.rawValue) \(operation.name ?? "anonymous")"),
    ]
    switch event.kind {
    case .operation:
      fields["ph"] = "b"
      fields["args"] = [
        "key": .string(operation.key.description),
        "policy": .string("\(operation.context.requestPolicy)"),
        "attempt": .int(Int64(operation.context.attempt)),
      ]
    case .result(let result):
      fields["ph"] = "n"
      fields["args"] = arguments(of: result)
    case .end(let ending):
      fields["ph"] = "e"
      fields["args"] = ["ending": .string(ending.rawValue)]
    }
    append(.object(fields))
  }

  private func arguments(of result: OperationResult) -> JSONValue {
    var arguments: JSONObject = [
      "outcome": .string("\(result.outcome)"), "stale": .bool(result.isStale),
      "hasNext": .bool(result.hasNext),
    ]
    if let error = result.error {
      arguments["error"] = .string(error.code.description)
      if let status = error.httpStatus { arguments["status"] = .int(Int64(status)) }
    }
    return .object(arguments)
  }

  /// Returns the number of a track, and writes its name when it is first used.
  private mutating func track(of event: DebugExchange.Event) -> Int {
    let key = Track(exchange: event.source, name: event.exchange)
    if let track = tracks[key] { return track }
    let track = tracks.count + 1
    tracks[key] = track
    append([
      "ph": "M", "name": "thread_name", "pid": 1, "tid": .int(Int64(track)),
      "args": ["name": .string(event.exchange)],
    ])
    return track
  }

  private mutating func append(_ event: JSONValue) {
    if !isEmpty { output.append(UInt8(ascii: ",")) }
    isEmpty = false
    // Always valid JSON: the numbers are finite, and there are only three levels.
    output += Array(event.description.utf8)
  }

  func finished() -> [UInt8] {
    output + Array("]}".utf8)
  }
}
