import Foundation

@testable import Weir

extension FuzzTarget {
  /// Each line is an event of one connection: `start`, `leave ID`, `connected`, `keepAlive`,
  /// `idled` or `lost`; any other line is a message from the server. Whatever happens, each
  /// operation is started at most once per connection, and ends once.
  func checkSocket(_ bytes: [UInt8]) throws {
    var model = ProtocolModel()
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      try model.run(String(decoding: line, as: UTF8.self))
    }
    try model.run("lost")
    try expect(model.live.isEmpty, "operations are left: \(model.live)")
  }
}

/// The state machine, next to a model of its required behaviour.
struct ProtocolModel {
  private enum Stage { case disconnected, connecting, initializing, open }

  private var machine = WebSocketStateMachine()
  private var stage = Stage.disconnected
  /// The operations that have not ended, in order, and whether the server knows each of them.
  private(set) var live: [(id: String, isSent: Bool)] = []
  private(set) var isPingAnswered = true
  private(set) var log: [String] = []

  /// Runs an event if it is possible now.
  mutating func run(_ line: String) throws {
    switch line {
    case "start":
      let isOpen = stage == .open
      let (id, actions) = machine.start(Array(#"{"query":"{a}"}"#.utf8))
      try expect(!live.contains { $0.id == id }, "an id is used twice", line)
      live.append((id, false))
      try check(
        actions,
        isOpen
          ? ["subscribe \(id)"] : stage == .disconnected ? ["connect"] : [], line)
      if stage == .disconnected { stage = .connecting }
    case _ where line.hasPrefix("leave "):
      let id = String(line.dropFirst(6))
      let operation = live.first { $0.id == id }
      live.removeAll { $0.id == id }
      let farewell = operation?.isSent == true ? ["send complete \(id)"] : []
      let idle = operation != nil && live.isEmpty ? ["idle"] : []
      try check(machine.leave(id), farewell + idle, line)
    case "connected":
      guard stage == .connecting else { return }
      stage = .initializing
      isPingAnswered = true
      try check(machine.connected(nil), ["send connection_init"], line)
    case "keepAlive":
      guard stage != .disconnected else { return }
      let expected = stage != .open ? [] : isPingAnswered ? ["send ping"] : ["close 4499"]
      if stage == .open { isPingAnswered = false }
      try check(machine.keepAliveIsDue(), expected, line)
    case "idled":
      guard stage != .disconnected else { return }
      let isOver = machine.idled(since: machine.idleCount)
      try expect(isOver == live.isEmpty, "idle while there are operations", line)
      if isOver { stage = .disconnected }
    case "lost":
      let ids = live.map(\.id)
      live = []
      stage = .disconnected
      try check(machine.lost(.cancelled), ids.map { "finish \($0) cancelled" }, line)
    default:
      guard stage == .initializing || stage == .open else { return }
      isPingAnswered = true
      try check(machine.received(ServerMessage(line)), reaction(to: line), line)
    }
  }

  /// The actions that the protocol requires after a message from the server.
  private mutating func reaction(to text: String) -> [String] {
    guard let message = try? JSON(parsing: text), let type = message["type"]?.string else {
      return ["close 4400"]
    }
    let id = message["id"]?.string
    let isLive = live.contains { $0.id == id && $0.isSent }
    let end = id.map { ["finish \($0)"] + (live.count == 1 ? ["idle"] : []) } ?? []
    switch (type, id) {
    case ("ping", _): return ["send pong"]
    case ("pong", _): return []
    case ("connection_ack", _) where stage == .initializing:
      stage = .open
      return live.map { "subscribe \($0.id)" }
    case ("next", let id?) where stage == .open:
      guard message["payload"]?.kind == .object else { return ["close 4400"] }
      return isLive ? ["deliver \(id)"] : []
    case ("error", let id?) where stage == .open:
      return isLive ? ["fail \(id)"] + end.dropFirst() : []
    case ("complete", _?) where stage == .open:
      return isLive ? end : []
    default: return ["close 4400"]
    }
  }

  private mutating func check(
    _ actions: [WebSocketStateMachine.Action], _ expected: [String], _ line: String
  ) throws {
    let found = actions.map(Self.summary)
    try expect(found == expected, "\(found), not \(expected)", line)
    for action in actions {
      switch action {
      case .subscribe(let id, _):
        guard let index = live.firstIndex(where: { $0.id == id && !$0.isSent }) else {
          throw FuzzTarget.Violation(description: "\(id) is sent twice, or after it was left")
        }
        live[index].isSent = true
      case .fail(let id, _), .finish(let id, _): live.removeAll { $0.id == id }
      case .close: try run("lost")
      default: break
      }
    }
  }

  private mutating func expect(_ isTrue: Bool, _ what: String, _ line: String) throws {
    log.append(line)
    if !isTrue { throw FuzzTarget.Violation(description: "\(what), after \(log)") }
  }

  /// A summary of an action, without payloads.
  static func summary(_ action: WebSocketStateMachine.Action) -> String {
    switch action {
    case .connect: "connect"
    case .send(let text): "send \(words(in: text))"
    case .subscribe(let id, let text):
      words(in: text) == "subscribe \(id)" ? "subscribe \(id)" : "another message: \(text)"
    case .deliver(let id, _): "deliver \(id)"
    case .fail(let id, _): "fail \(id)"
    case .finish(let id, let error): "finish \(id)" + (error.map { " \($0.code)" } ?? "")
    case .idle: "idle"
    case .close(let closure): "close \(closure.code)"
    }
  }

  private static func words(in text: String) -> String {
    let message = try? JSON(parsing: text)
    return [message?["type"]?.string, message?["id"]?.string].compactMap { $0 }
      .joined(separator: " ")
  }
}
