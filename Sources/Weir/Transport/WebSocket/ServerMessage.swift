/// What a server says in `graphql-transport-ws`. Pure.
enum ServerMessage {
  typealias ID = WebSocketStateMachine.ID

  case acknowledgement, ping, pong
  case next(ID, JSON)
  /// The operation has failed; as a response with errors.
  case error(ID, JSON)
  case complete(ID)
  /// It is no message of the protocol, for this reason.
  case invalid(String)

  /// Reads a message; never fails.
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
        self = .invalid("A message that needs an id has none.")
        return
      }
      self = ServerMessage(type, id, message["payload"])
    default: self = .invalid("There are no messages of this type.")
    }
  }

  private init(_ type: String, _ id: ID, _ payload: JSON?) {
    switch type {
    case "complete":
      self = .complete(id)
    case "error":
      let response = try? JSON(parsing: Self.response(withErrors: payload))
      self = response.map { .error(id, $0) } ?? .invalid("An error message has no errors.")
    default:
      guard let payload, payload.kind == .object else {
        self = .invalid("A next message has no payload.")
        return
      }
      self = .next(id, payload)
    }
  }

  /// The protocol wants a list of errors. Some servers send one error, or a whole response; whatever
  /// it is, it is the end of one operation, and no reason to end the others.
  private static func response(withErrors payload: JSON?) -> [UInt8] {
    let errors: [UInt8]
    switch payload?.kind {
    case .array where payload?.count != 0: errors = Array(payload?.bytes ?? [])
    case .object where payload?["errors"]?.kind == .array && payload?["errors"]?.count != 0:
      errors = Array(payload?["errors"]?.bytes ?? [])
    case .object where payload?["message"] != nil:
      errors = Array("[".utf8) + (payload?.bytes ?? []) + Array("]".utf8)
    default:
      errors = Array(#"[{"message":"The server reports an error, but not which."}]"#.utf8)
    }
    return Array(#"{"errors":"#.utf8) + errors + Array("}".utf8)
  }
}
