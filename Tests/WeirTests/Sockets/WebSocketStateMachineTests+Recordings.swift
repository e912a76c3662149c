import Testing

@testable import Weir

extension WebSocketStateMachineTests {
  // MARK: - Recorded conversations

  struct Recording: Sendable, CustomStringConvertible {
    let description: String
    let text: String
    /// The results that the operations' consumers receive.
    let outcome: [String]
  }

  static let recordings = [
    Recording(
      description: "a query", text: RecordedConversations.query,
      outcome: [#"1: {"data":{"hello":"Hello, world!"}}"#, "1 ends"]),
    Recording(
      description: "a mutation", text: RecordedConversations.mutation,
      outcome: [#"1: {"data":{"slowMutation":1}}"#, "1 ends"]),
    Recording(
      description: "a subscription", text: RecordedConversations.subscription,
      outcome: [#"1: {"data":{"counter":1}}"#, #"1: {"data":{"counter":2}}"#, "1 ends"]),
    Recording(
      description: "an error in the source", text: RecordedConversations.sourceError,
      outcome: [
        #"1: {"data":{"counter":1}}"#,
        #"1: {"data":null,"errors":[{"message":"counter failed at 2","extensions":{"code":"STREAM_FAILED"}}]}"#,
        "1 ends",
      ]),
    Recording(
      description: "a validation error", text: RecordedConversations.validationError,
      outcome: [
        #"1 fails: {"errors":[{"message":"Cannot query field 'nope' on type 'Subscription'.","locations":[{"line":1,"column":16}]}]}"#
      ]),
    Recording(
      description: "two operations, one is cancelled", text: RecordedConversations.twoAndCancel,
      outcome: [
        #"b: {"data":{"counter":1}}"#, #"a: {"data":{"counter":1}}"#, #"b: {"data":{"counter":2}}"#,
        "b ends",
      ]),
    Recording(description: "a client ping", text: RecordedConversations.ping, outcome: []),
    Recording(
      description: "subscribe without connection_init", text: RecordedConversations.noInit,
      outcome: ["4401 is final", "1 ends: transport"]),
    Recording(
      description: "a duplicate id", text: RecordedConversations.duplicateId,
      outcome: ["4409 is final", "a ends: transport", "a ends: transport"]),
    Recording(
      description: "connection_init twice", text: RecordedConversations.twoInits,
      outcome: ["4429 is final"]),
    Recording(
      description: "invalid JSON", text: RecordedConversations.badMessage,
      outcome: ["4400 is final"]),
    Recording(
      description: "another subprotocol", text: RecordedConversations.badSubprotocol,
      outcome: ["4406 is final"]),
    Recording(
      description: "the older protocol", text: RecordedConversations.oldProtocol,
      outcome: ["closes: 4400"]),
  ]

  /// Compares the machine's messages with the recorded ones, and skips recorded messages that a
  /// correct client does not send.
  @Test("Recorded conversations are reproduced in both directions (H6)", arguments: recordings)
  func recorded(recording: Recording) throws {
    var machine = WebSocketStateMachine()
    var names: [String: String] = [:]
    var unsaid: [JSONValue] = []
    var seen: [String] = []

    func take(_ actions: [WebSocketStateMachine.Action]) throws {
      for action in actions {
        switch action {
        case .send(let text), .subscribe(_, let text):
          var message = try JSON(parsing: text).value.objectValue()
          if case .string(let id)? = message["id"] { message["id"] = .string(names[id] ?? id) }
          unsaid.append(.object(message))
        case .deliver(let id, let payload):
          seen.append("\(names[id] ?? id): \(String(decoding: payload.bytes, as: UTF8.self))")
        case .fail(let id, let response):
          let text = String(decoding: response.bytes, as: UTF8.self)
          seen.append("\(names[id] ?? id) fails: \(text)")
        case .finish(let id, let error):
          seen.append("\(names[id] ?? id) ends" + (error.map { ": \($0.code)" } ?? ""))
        case .close(let closure): seen.append("closes: \(closure.code)")
        case .connect, .idle: break
        }
      }
    }

    for line in recording.text.split(separator: "\n") {
      let text = String(line.dropFirst(2))
      let message = try? JSON(parsing: text)
      switch (line.first, message?["type"]?.string) {
      case (">", "connection_init"):
        try take(machine.connected(message?["payload"].map { Array($0.bytes) }))
      case (">", "subscribe"), (">", "start"):
        let request = try #require(message?["payload"])
        let isSubscription = request["query"]?.string?.hasPrefix("subscription") == true
        let (id, actions) = machine.start(Array(request.bytes), isSubscription: isSubscription)
        names[id] = message?["id"]?.string
        try take(actions)
      case (">", "complete"):
        let id = try #require(names.first { $0.value == message?["id"]?.string }?.key)
        try take(machine.leave(id))
      case (">", "ping"): try take(machine.keepAliveIsDue())
      case ("<", _):
        var received = text
        for (own, theirs) in names {
          received.replace(#""id":"\#(theirs)""#, with: #""id":"\#(own)""#)
        }
        try take(machine.received(ServerMessage(received)))
        if seen.last?.hasPrefix("closes") == true { #expect(seen == recording.outcome) }
      case ("!", _):
        let code = try #require(Int(text.prefix(4)))
        let closure = SocketClosure(code: code, reason: String(text.dropFirst(5)))
        seen.append("\(code) is \(closure.isFinal ? "final" : "passing")")
        try take(machine.lost(OperationError(subscriptionFailure: closure)))
      default: break
      }
      if line.first == ">", let said = unsaid.first, let message {
        unsaid.removeFirst()
        switch message["type"]?.string {
        case "ping": #expect(said == ["type": "ping"])
        case "start": break  // The older protocol's name for `subscribe`.
        default: #expect(said == message.value)
        }
      }
      if seen.last?.hasPrefix("closes") == true { return }
    }
    #expect(seen == recording.outcome)
    #expect(unsaid.isEmpty)
  }
}

extension JSONValue {
  fileprivate func objectValue() throws -> JSONObject {
    guard case .object(let object) = self else { throw CancellationError() }
    return object
  }
}
