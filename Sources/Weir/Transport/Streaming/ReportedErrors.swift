extension JSON {
  /// Makes a response of what a server says is an error, in a message or event of that name.
  ///
  /// The protocols require a list. Some servers send one error, or a whole response; whatever they
  /// send, it ends one operation, and the response has at least one error.
  init(errorsReportedIn payload: JSON?) throws(JSONError) {
    if let payload, payload.kind == .object, payload["errors"]?.isFilledList == true {
      self = payload
    } else {
      try self.init(parsing: #"{"errors":"# + Self.errors(in: payload) + "}")
    }
  }

  private static func errors(in payload: JSON?) -> String {
    if let payload, payload.isFilledList { return payload.text }
    if let payload, payload["message"] != nil { return "[\(payload.text)]" }
    return #"[{"message":"The server reported an error without a message."}]"#
  }

  private var isFilledList: Bool { kind == .array && count > 0 }
  private var text: String { String(decoding: bytes, as: UTF8.self) }
}
