import Weir

/// The media type of a response, from the request's `accept` ("GraphQL over HTTP", "Accept").
enum AcceptedMedia {
  case graphQLResponse
  case json
  case eventStream

  /// Chooses the first known type that the request accepts; for a subscription an event stream, if
  /// the request accepts one.
  init(_ request: HTTPRequest, for kind: GraphQLOperation.Kind = .query) {
    let types = (request.headers["accept"] ?? "*/*").lowercased().split(separator: ",").map {
      $0.prefix { $0 != ";" }.filter { !$0.isWhitespace }
    }
    let known = types.compactMap { Self($0) }
    self =
      kind == .subscription && known.contains(.eventStream)
      ? .eventStream : known.first ?? .json
  }

  private init?(_ mediaType: some StringProtocol) {
    switch mediaType {
    case "application/graphql-response+json", "*/*", "application/*": self = .graphQLResponse
    case "application/json": self = .json
    case "text/event-stream": self = .eventStream
    default: return nil
    }
  }

  /// Makes the HTTP response for a GraphQL response.
  ///
  /// For request errors, the status is 400 with GraphQL's own media type. With plain JSON it is 200,
  /// because a client that accepts only JSON expects the errors in the body. (Drafts since April 2026 recommend
  /// 422 for some of these errors, 294 for data beside errors, and say nothing of plain JSON any more. Most
  /// servers do not follow them yet.)
  func response(_ response: LocalResponse) -> HTTPResponse {
    let body = response.json.compactBytes
    switch self {
    case .graphQLResponse:
      return self.response(status: response.data == nil ? 400 : 200, body: body)
    case .json:
      return self.response(status: 200, body: body)
    case .eventStream:
      return HTTPResponse.eventStream(
        HTTPBody(EventStream.next(response) + EventStream.complete))
    }
  }

  /// Makes the response to a request that is not executed.
  func response(to refusal: RequestErrors) -> HTTPResponse {
    let response = LocalResponse(refusal)
    guard let status = refusal.status else { return self.response(response) }
    var answer = self.response(status: status, body: response.json.compactBytes)
    if let methods = refusal.allowedMethods { answer.headers["allow"] = methods }
    return answer
  }

  private func response(status: Int, body: [UInt8]) -> HTTPResponse {
    let mediaType = self == .json ? "application/json" : "application/graphql-response+json"
    return HTTPResponse(
      status: status, headers: ["content-type": "\(mediaType); charset=utf-8"],
      body: HTTPBody(body))
  }
}
