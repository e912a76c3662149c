/// A message of the server in the `graphql-transport-ws` protocol.
enum ServerMessage {
  typealias ID = WebSocketStateMachine.ID

  case acknowledgement, ping, pong
  case next(ID, JSON)
  /// The operation has failed; the payload is a response with errors.
  case error(ID, JSON)
  case complete(ID)
  /// The server refuses the connection, for the given reason.
  case refusal(String)
  /// The message violates the protocol, for the given reason.
  case invalid(String)

  /// Parses a message. Never fails.
  init(_ text: String) {
    guard let message = try? JSON(parsing: text), let type = message["type"]?.string else {
      self = .invalid("A message is not JSON, or has no type.")
      return
    }
    let payload = message["payload"]
    switch (type, message["id"]?.string) {
    case ("connection_ack", _): self = .acknowledgement
    case ("ping", _): self = .ping
    case ("pong", _): self = .pong
    case ("next", let id?):
      let object = payload.flatMap { $0.kind == .object ? $0 : nil }
      self =
        object.map { .next(id, $0) } ?? .invalid("A message of type next has no payload.")
    case ("error", let id?):
      let response = try? JSON(parsing: ReportedErrors.response(to: payload))
      self = response.map { .error(id, $0) } ?? .invalid("A message of type error has no errors.")
    case ("complete", let id?): self = .complete(id)
    case ("connection_error", _):
      // A message of the older protocol. Some servers, such as Hasura, send it in this one, too, instead of
      // closing the connection.
      let text = payload?.string ?? payload?["message"]?.string
      var reason = String((text ?? "The server refuses the connection.").prefix(123))
      // As in a close frame (RFC 6455, section 5.5).
      while reason.utf8.count > 123 { reason.removeLast() }
      self = .refusal(reason)
    case ("next", nil), ("error", nil), ("complete", nil):
      self = .invalid("A message of type \(type) has no id.")
    default: self = .invalid("A message has an unknown type.")
    }
  }
}
