/// A message of the server in the `graphql-transport-ws` protocol.
enum ServerMessage {
  typealias ID = WebSocketStateMachine.ID

  case acknowledgement, ping, pong
  case next(ID, JSON)
  /// The operation has failed; the payload is a response with errors.
  case error(ID, JSON)
  case complete(ID)
  /// The message violates the protocol, for the given reason.
  case invalid(String)

  /// Parses a message. Never fails.
  init(_ text: String) {
    guard let message = try? JSON(parsing: text), let type = message["type"]?.string else {
      self = .invalid("A message is not JSON, or has no type.")
      return
    }
    switch type {
    case "connection_ack": self = .acknowledgement
    case "ping": self = .ping
    case "pong": self = .pong
    case "next", "error", "complete":
      guard let id = message["id"]?.string else {
        self = .invalid("A message of type \(type) has no id.")
        return
      }
      self = ServerMessage(type, id, message["payload"])
    default: self = .invalid("A message has an unknown type.")
    }
  }

  private init(_ type: String, _ id: ID, _ payload: JSON?) {
    switch type {
    case "complete":
      self = .complete(id)
    case "error":
      let text = #"{"errors":"# + Self.errors(in: payload) + "}"
      let response = try? JSON(parsing: text)
      self = response.map { .error(id, $0) } ?? .invalid("A message of type error has no errors.")
    default:
      guard let payload, payload.kind == .object else {
        self = .invalid("A message of type next has no payload.")
        return
      }
      self = .next(id, payload)
    }
  }

  /// Returns the errors of a payload as a JSON list.
  ///
  /// The protocol requires a list. Some servers send one error, or a whole response; whatever they
  /// send, it ends one operation and should not end the others.
  private static func errors(in payload: JSON?) -> String {
    if let payload {
      if payload.isFilledList { return payload.text }
      if let errors = payload["errors"], errors.isFilledList { return errors.text }
      if payload["message"] != nil { return "[\(payload.text)]" }
    }
    return #"[{"message":"The server reported an error without a message."}]"#
  }
}

extension JSON {
  fileprivate var isFilledList: Bool { kind == .array && count > 0 }
  fileprivate var text: String { String(decoding: bytes, as: UTF8.self) }
}
