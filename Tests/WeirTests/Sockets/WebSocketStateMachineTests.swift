import Foundation
import TestSupport
import Testing

@testable import Weir

@Suite("The state machine of graphql-transport-ws", .timeLimit(.minutes(10)))
struct WebSocketStateMachineTests {
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
      case let words where words[0] == "lost":
        let unsent = words.dropFirst().map { ($0, #"{"id":"\#($0)","type":"subscribe"}"#) }
        let error = OperationError(code: .init("x"), message: "")
        done = machine.lost(error, unsent: Dictionary(uniqueKeysWithValues: unsent)).map(
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
    guard case .fail(_, let response)? = actions.first else {
      Issue.record("Nothing fails: \(actions)")
      return
    }
    #expect(actions.dropFirst().map(ProtocolModel.summary) == ["idle"])
    var assembler = ResultAssembler(kind: .subscription)
    #expect(
      try assembler.end(with: response).error?.message.hasSuffix(
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
