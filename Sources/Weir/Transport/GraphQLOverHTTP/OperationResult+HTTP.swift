extension OperationResult {
  /// What a complete HTTP response means.
  ///
  /// A well-formed GraphQL body is a result, whatever the status and the media type. That goes
  /// further than "GraphQL over HTTP" (section "Processing the response"), which has a client trust
  /// `application/json` with a status other than 200 only at its own risk: but such answers are
  /// common, and what an intermediary makes up is not a GraphQL response. Anything else is an error
  /// with status, media type and the beginning of the body.
  ///
  /// The body is parsed once; the result's data are a value in that document.
  init(status: Int, headers: HTTPHeaders, body: [UInt8], timing: ResultTiming?) {
    let isSuccess = (200..<300).contains(status)
    let head = isSuccess ? nil : HTTPStatusError(status: status, headers: headers)
    let mediaType = headers["content-type"]
    do throws(JSONError) {
      if let response = GraphQLResponse(try JSON(parsing: body.withoutByteOrderMark)) {
        self.init(
          data: response.data,
          error: response.errors.isEmpty
            ? nil
            : OperationError(graphQLErrors: response.errors, mediaType: mediaType, head: head),
          extensions: response.extensions, timing: timing)
        return
      }
      self.init(
        error: OperationError(
          body: body, mediaType: mediaType, status: status, head: head,
          reason: "is JSON, but not a GraphQL response", underlying: nil), timing: timing)
    } catch {
      self.init(
        error: OperationError(
          body: body, mediaType: mediaType, status: status, head: head,
          reason: body.isEmpty ? "is empty" : "is not JSON: \(error)",
          underlying: body.isEmpty ? nil : error), timing: timing)
    }
  }
}

extension OperationError {
  /// The errors of a response, with its status if that is one, too.
  init(graphQLErrors: [GraphQLError], mediaType: String?, head: HTTPStatusError?) {
    self.init(
      code: .graphQL, message: graphQLErrors.map(\.message).joined(separator: "; "),
      graphQLErrors: graphQLErrors, httpStatus: head?.status,
      mediaType: head.map { _ in mediaType } ?? nil,
      underlying: head)
  }

  /// A response without a GraphQL body.
  fileprivate init(
    body: [UInt8], mediaType: String?, status: Int, head: HTTPStatusError?, reason: String,
    underlying: (any Error)?
  ) {
    self.init(
      code: head == nil ? .malformedResponse : .httpStatus,
      message: head?.summary ?? "The response \(reason).",
      httpStatus: status, mediaType: mediaType,
      bodyPrefix: String(decoding: body.prefix(512), as: UTF8.self),
      underlying: head ?? underlying)
  }

  /// A streamed response with an error status, and without a GraphQL result.
  init(status response: HTTPResponse) {
    let head = HTTPStatusError(status: response.status, headers: response.headers)
    self.init(
      code: .httpStatus, message: head.summary, httpStatus: response.status,
      mediaType: response.headers["content-type"], underlying: head)
  }

  /// No response, or not all of one.
  ///
  /// - Parameters:
  ///   - error: What the transport says.
  ///   - status: That of the response that broke off, if there was one.
  ///   - uploads: The operation's, one of which may be to blame.
  init(transport error: HTTPTransportError, status: Int? = nil, uploads: [PlacedUpload] = []) {
    if let upload = error.underlying as? UploadError {
      self.init(upload.placed(among: uploads))
      return
    }
    self =
      error.code == .cancelled
      ? .cancelled
      : OperationError(
        code: .transport, message: error.description, httpStatus: status, underlying: error)
  }
}

extension [UInt8] {
  /// RFC 8259, section 8.1: a reader may ignore the mark that a writer must not write.
  var withoutByteOrderMark: [UInt8] {
    starts(with: [0xEF, 0xBB, 0xBF]) ? Array(dropFirst(3)) : self
  }
}
