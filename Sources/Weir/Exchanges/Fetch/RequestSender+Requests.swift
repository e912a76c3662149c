import Foundation

extension RequestSender {
  /// Makes the request for an operation.
  @inline(never)
  func request(
    for operation: GraphQLOperation, headers: HTTPHeaders, resuming resumption: Resumption
  ) throws -> HTTPRequest {
    let endpoint = operation.context.endpoint ?? url
    let content = try GraphQLRequest(operation)
    let hasFiles = !operation.uploads.isEmpty
    let getURL =
      !hasFiles && operation.prefersGET(configuration)
      ? content.url(at: endpoint, limit: configuration.maximumURLLength) : nil
    let isJSON = !hasFiles && getURL == nil
    let (types, kind) = (streamedMediaTypes(of: operation), operation.kind)
    let timeout = operation.context.requestTimeout ?? configuration.timeout
    var request = HTTPRequest(
      method: getURL == nil ? .post : .get, url: getURL ?? endpoint,
      headers: isJSON ? .json(types, kind) : ["accept": types.accept(for: kind)],
      timeout: timeout, responseBodyLimit: configuration.responseLimit,
      isIdempotent: operation.mayBeSentTwice)
    if kind == .subscription {
      request.timeout = nil
      request.idleTimeout = configuration.subscriptionIdleTimeout
      request.responseBodyLimit = nil
      request.isLongLived = true
    }
    if isJSON {
      request.body = content.body
    } else {
      request.headers.merge(.preflight(hasFiles: hasFiles))
    }
    request.headers.merge(headers)
    if let id = resumption.lastEventID, !id.isEmpty { request.headers["last-event-id"] = id }
    if hasFiles {
      // After all other fields, because only this method knows the boundary, which the server
      // needs.
      try request.setMultipart(content, operation)
      // The time for sending depends on the files, so only the time without progress is limited.
      if kind != .subscription {
        (request.timeout, request.idleTimeout) = (nil, timeout)
      }
    }
    return request
  }

  /// Returns more than plain JSON only if that is wanted, because some servers answer every client
  /// that accepts event streams with one.
  private func streamedMediaTypes(of operation: GraphQLOperation) -> StreamedMediaTypes {
    if operation.kind == .subscription { return configuration.subscriptionMediaTypes }
    return operation.prepared.asksForIncrementalDelivery ? configuration.incrementalMediaTypes : []
  }
}

extension HTTPHeaders {
  /// The fields of a request whose body is JSON.
  fileprivate static func json(
    _ types: StreamedMediaTypes, _ kind: GraphQLOperation.Kind
  ) -> HTTPHeaders {
    types.isEmpty
      ? jsonAlone : ["accept": types.accept(for: kind), "content-type": "application/json"]
  }

  /// The same if only a complete response is accepted, as by nearly all requests.
  private static let jsonAlone: HTTPHeaders = [
    "accept": StreamedMediaTypes().accept(for: .query), "content-type": "application/json",
  ]

  /// The fields of requests that a browser would send for any page: GETs and forms. Servers refuse
  /// these unless they have such a field, which a browser does not add without asking: Apollo Server
  /// refuses both, and Hot Chocolate forms.
  fileprivate static func preflight(hasFiles: Bool) -> HTTPHeaders {
    hasFiles
      ? ["apollo-require-preflight": "true", "graphql-preflight": "1"]
      : ["apollo-require-preflight": "true"]
  }
}

extension GraphQLOperation {
  /// Whether a request may be sent again if it was lost without a response.
  var mayBeSentTwice: Bool { context.isIdempotent ?? (kind != .mutation) }

  /// Whether its request differs from that of others with the same endpoint, kind and header fields, so that
  /// it cannot be a part of a batch.
  func needsOwnRequest(_ configuration: FetchConfiguration) -> Bool {
    prefersGET(configuration) || !uploads.isEmpty || context.requestTimeout != nil
      || prepared.asksForIncrementalDelivery
  }

  /// Whether the operation is a query to be sent by GET.
  func prefersGET(_ configuration: FetchConfiguration) -> Bool {
    kind == .query && context.prefersGET ?? configuration.prefersGET
  }
}
