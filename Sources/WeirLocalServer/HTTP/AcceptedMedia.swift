import Weir

/// The form of a response, by the request's `accept` ("GraphQL over HTTP", section "Accept").
enum AcceptedMedia {
  case graphQLResponse
  case json
  case eventStream

  /// - Parameters:
  ///   - request: Whose `accept` counts.
  ///   - kind: What it asks for: a subscription is a stream wherever one is accepted, all else the
  ///     first type that is known.
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

  /// A response of GraphQL. Request errors are a 400 in the media type of its own; as plain JSON a
  /// 200, since who accepts only that looks into the body (sections "application/json" and
  /// "application/graphql-response+json" of "Status Codes").
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

  /// A response to what is no GraphQL request: its status tells, whatever the media type.
  func response(to refusal: HTTPRefusal) -> HTTPResponse {
    let body = LocalResponse(requestErrors: [GraphQLError(message: refusal.message)])
    return response(status: refusal.status, body: body.json.compactBytes)
  }

  private func response(status: Int, body: [UInt8]) -> HTTPResponse {
    let mediaType = self == .json ? "application/json" : "application/graphql-response+json"
    return HTTPResponse(
      status: status, headers: ["content-type": "\(mediaType); charset=utf-8"],
      body: HTTPBody(body))
  }
}
