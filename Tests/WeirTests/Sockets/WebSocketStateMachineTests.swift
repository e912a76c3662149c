import Foundation
import Testing

@testable import Weir

@Suite("The state machine of graphql-transport-ws", .timeLimit(.minutes(10)))
struct WebSocketStateMachineTests {
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
        #"1: {"errors":[{"message":"Cannot query field 'nope' on type 'Subscription'.","locations":[{"line":1,"column":16}]}]}"#,
        "1 ends",
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

  // MARK: - Scripts

  /// One `input -> actions` per line.
  static let scripts: [(name: String, text: String)] = [
    (
      "one operation",
      """
      start -> connect
      connected -> send connection_init
      {"type":"connection_ack"} -> subscribe 1
      {"id":"1","type":"next","payload":{"data":{}}} -> deliver 1
      {"id":"1","type":"complete"} -> finish 1; idle
      {"id":"1","type":"complete"} ->
      {"id":"1","type":"next","payload":{"data":{}}} ->
      {"id":"1","type":"error","payload":[{"message":"m"}]} ->
      leave 1 ->
      """
    ),
    (
      "operations wait for the acknowledgement, in order; cancelled ones are never sent",
      """
      start -> connect
      start ->
      start ->
      connected -> send connection_init
      start ->
      leave 2 ->
      {"type":"connection_ack","payload":{"a":1}} -> subscribe 1; subscribe 3; subscribe 4
      start -> subscribe 5
      """
    ),
    (
      "a query ends with its first final payload, and is not completed twice",
      """
      query -> connect
      connected -> send connection_init
      {"type":"connection_ack"} -> subscribe 1
      {"id":"1","type":"next","payload":{"data":{},"hasNext":true}} -> deliver 1
      {"id":"1","type":"next","payload":{"data":{},"hasNext":false}} -> deliver 1; finish 1; idle
      {"id":"1","type":"complete"} ->
      leave 1 ->
      query -> subscribe 2
      leave 2 -> send complete 2; idle
      """
    ),
    (
      "everyone leaves before the acknowledgement; the next operation uses the connection",
      """
      start -> connect
      leave 1 -> idle
      start ->
      connected -> send connection_init
      {"type":"connection_ack"} -> subscribe 2
      """
    ),
    (
      "complete is sent once, by either side",
      """
      start -> connect
      connected -> send connection_init
      {"type":"connection_ack"} -> subscribe 1
      start -> subscribe 2
      leave 1 -> send complete 1
      leave 1 ->
      {"id":"1","type":"next","payload":{"data":{}}} ->
      {"id":"1","type":"complete"} ->
      {"id":"2","type":"complete"} -> finish 2; idle
      leave 2 ->
      """
    ),
    (
      "an error ends only its own operation",
      """
      start -> connect
      connected -> send connection_init
      {"type":"connection_ack"} -> subscribe 1
      start -> subscribe 2
      {"id":"1","type":"error","payload":[{"message":"m"}]} -> deliver 1; finish 1
      {"id":"2","type":"next","payload":{}} -> deliver 2
      """
    ),
    (
      "the server's pings are answered at any time, and unknown ids are ignored",
      """
      start -> connect
      connected -> send connection_init
      {"type":"ping"} -> send pong
      {"type":"pong"} ->
      {"type":"connection_ack"} -> subscribe 1
      {"type":"ping","payload":{"a":1}} -> send pong
      {"id":"9","type":"next","payload":{}} ->
      {"id":"9","type":"complete"} ->
      """
    ),
    (
      "a server that sends nothing between two pings is lost; any message counts",
      """
      keepAlive ->
      start -> connect
      connected -> send connection_init
      keepAlive ->
      {"type":"connection_ack"} -> subscribe 1
      keepAlive -> send ping
      {"type":"pong"} ->
      keepAlive -> send ping
      {"id":"1","type":"next","payload":{}} -> deliver 1
      keepAlive -> send ping
      keepAlive -> close 4499
      """
    ),
    (
      "a lost connection ends all operations in order; ids continue on the next one",
      """
      start -> connect
      start ->
      start ->
      start ->
      start ->
      start ->
      start ->
      start ->
      start ->
      start ->
      start ->
      lost -> finish 1 x; finish 2 x; finish 3 x; finish 4 x; finish 5 x; finish 6 x; finish 7 x; finish 8 x; finish 9 x; finish 10 x; finish 11 x
      lost ->
      start -> connect
      connected -> send connection_init
      {"type":"connection_ack"} -> subscribe 12
      lost -> finish 12 x
      """
    ),
    (
      "an idle connection is closed unless it was used since",
      """
      start -> connect
      connected -> send connection_init
      {"type":"connection_ack"} -> subscribe 1
      idled since 0 -> no
      leave 1 -> send complete 1; idle
      start -> subscribe 2
      idled since 1 -> no
      leave 2 -> send complete 2; idle
      idled since 1 -> no
      idled since 2 -> yes
      start -> connect
      connected -> send connection_init
      """
    ),
  ]

  @Test("Each input leads to the expected actions (H6)", arguments: scripts.map(\.name))
  func scripted(name: String) throws {
    let text = try #require(Self.scripts.first { $0.name == name }).text
    var machine = WebSocketStateMachine()
    for line in text.split(separator: "\n") {
      let parts = line.components(separatedBy: " ->")
      let input = parts[0]
      let expected = parts[1].components(separatedBy: "; ").map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      var done: [String]
      switch input.components(separatedBy: " ") {
      case ["start"]: done = machine.start([0x7B, 0x7D]).actions.map(ProtocolModel.summary)
      case ["query"]:
        done = machine.start([0x7B, 0x7D], isSubscription: false).actions.map(ProtocolModel.summary)
      case ["connected"]: done = machine.connected(nil).map(ProtocolModel.summary)
      case ["keepAlive"]: done = machine.keepAliveIsDue().map(ProtocolModel.summary)
      case ["lost"]:
        done = machine.lost(OperationError(code: .init("x"), message: "")).map(
          ProtocolModel.summary)
      case let words where words[0] == "leave":
        done = machine.leave(words[1]).map(ProtocolModel.summary)
      case let words where words[0] == "idled":
        done = [machine.idled(since: try #require(Int(words[2]))) ? "yes" : "no"]
      default: done = machine.received(ServerMessage(input)).map(ProtocolModel.summary)
      }
      #expect(done == expected.filter { !$0.isEmpty }, "\(name): \(input)")
    }
  }

  @Test("An invalid message closes the connection with 4400 (H6)")
  func garbage() {
    for isOpen in [false, true] {
      let always = [
        "", "nope", "null", "[]", "7", "{}", #"{"type":1}"#, #"{"type":"data","id":"1"}"#,
        #"{"type":"subscribe","id":"1"}"#, #"{"type":"next"}"#, #"{"type":"next","id":1}"#,
        #"{"type":"next","id":"1"}"#, #"{"type":"next","id":"1","payload":[]}"#,
        #"{"type":"error","payload":[]}"#, #"{"type":"complete"}"#, "{\"type\":\"ping\"",
      ]
      let early = [
        #"{"type":"next","id":"1","payload":{}}"#, #"{"type":"complete","id":"1"}"#,
        #"{"type":"error","id":"1","payload":[]}"#,
      ]
      for text in always + (isOpen ? [#"{"type":"connection_ack"}"#] : early) {
        var machine = WebSocketStateMachine()
        _ = machine.start([0x7B, 0x7D])
        _ = machine.connected(nil)
        if isOpen { _ = machine.received(.acknowledgement) }
        let actions = machine.received(ServerMessage(text))
        #expect(actions.map(ProtocolModel.summary) == ["close 4400"], "\(text)")
      }
    }
  }

  @Test(
    "Errors of any shape end their operation with an error (H6)",
    arguments: [
      (#"[{"message":"a"},{"message":"b"}]"#, "a; b"), (#"{"message":"a"}"#, "a"),
      (#"{"errors":[{"message":"a"}]}"#, "a"), (#"{"data":null,"errors":[{"message":"a"}]}"#, "a"),
      ("[]", "unknown"), ("{}", "unknown"), ("null", "unknown"), (#""a""#, "unknown"),
      (#"{"errors":[]}"#, "unknown"),
    ])
  func errors(payload: String, message: String) throws {
    var machine = WebSocketStateMachine()
    let (id, _) = machine.start([0x7B, 0x7D])
    _ = machine.connected(nil)
    _ = machine.received(.acknowledgement)
    let text = #"{"id":"\#(id)","type":"error","payload":\#(payload)}"#
    let actions = machine.received(ServerMessage(text))
    guard case .deliver(_, let response)? = actions.first else {
      Issue.record("Nothing is delivered: \(actions)")
      return
    }
    #expect(actions.dropFirst().map(ProtocolModel.summary) == ["finish 1", "idle"])
    var assembler = ResultAssembler(kind: .subscription)
    _ = try assembler.append(response)
    #expect(
      try assembler.result().error?.message.hasSuffix(
        message == "unknown" ? "an error without a message." : message) == true)
  }

  @Test("The parameters of the connection and of the request are sent unchanged (H6)")
  func texts() {
    var machine = WebSocketStateMachine()
    let (_, actions) = machine.start(Array(#"{"query":"{a}","variables":{"b":"\n"}}"#.utf8))
    #expect(actions == [.connect])
    #expect(
      machine.connected(Array(#"{"token":"t"}"#.utf8))
        == [.send(#"{"type":"connection_init","payload":{"token":"t"}}"#)])
    #expect(
      machine.received(.acknowledgement)
        == [
          .subscribe(
            "1",
            #"{"id":"1","type":"subscribe","payload":{"query":"{a}","variables":{"b":"\n"}}}"#)
        ])
  }

  @Test(
    "The code of a closure decides whether it is final (H6)",
    arguments: [
      (1000, false), (1001, false), (1005, false), (1006, false), (1011, false), (1012, false),
      (1013, false), (1002, true), (1003, true), (1007, true), (1009, true), (1010, true),
      (4400, true), (4401, true), (4403, false), (4406, true), (4408, false), (4409, true),
      (4429, true), (4499, false), (4500, true), (4004, true), (4005, true), (4504, false),
      (3000, false),
    ])
  func finality(code: Int, isFinal: Bool) {
    #expect(SocketClosure(code: code).isFinal == isFinal)
  }

  // MARK: - Random events

  @Test("In any order of events, each operation is started once and ends once (H6)")
  func interleavings() throws {
    var delivered = 0
    for seed in 0..<400 as Range<UInt64> {
      var random = SeededRandom(seed: seed)
      var model = ProtocolModel()
      for _ in 0..<150 {
        // Mostly the id of a live operation.
        let known = model.live.randomElement(using: &random).flatMap { Int($0.id) }
        let id = seed % 5 == 0 ? Int.random(in: 1...12, using: &random) : known ?? 1
        switch Int.random(in: 0..<22, using: &random) {
        case 0...3: try model.run("start")
        case 4...5: try model.run("leave \(id)")
        case 6...7: try model.run("connected")
        case 8: try model.run("keepAlive")
        case 9: try model.run("idled")
        case 10: if seed % 4 == 0 { try model.run("lost") }
        case 11...12: try model.run(#"{"type":"connection_ack"}"#)
        case 13: try model.run(#"{"type":"ping"}"#)
        case 14: try model.run(#"{"type":"pong"}"#)
        case 15: try model.run(#"{"id":"\#(id)","type":"complete"}"#)
        case 16: try model.run(#"{"id":"\#(id)","type":"error","payload":[{"message":"m"}]}"#)
        case 17: if seed % 3 == 0 { try model.run("nope") }
        default:
          if model.live.contains(where: { $0.id == "\(id)" && $0.isSent }) { delivered += 1 }
          try model.run(#"{"id":"\#(id)","type":"next","payload":{"data":{"a":\#(id)}}}"#)
        }
      }
      try model.run("lost")
      #expect(model.live.isEmpty)
    }
    #expect(delivered > 400)
  }
}

extension JSONValue {
  fileprivate func objectValue() throws -> JSONObject {
    guard case .object(let object) = self else { throw CancellationError() }
    return object
  }
}
