import Foundation

extension HTTPResponse {
  /// The times of a response that is complete now; its request was sent at `start`.
  func timing(since start: ContinuousClock.Instant) -> ResultTiming {
    ResultTiming(
      receivedAt: Date(), duration: ContinuousClock.now - start,
      maximumAge: CacheControl.maximumAge(headers))
  }
}

extension OperationResult {
  /// Makes the result of a complete HTTP response.
  ///
  /// A well-formed GraphQL body is a result, whatever the status and the media type. "GraphQL over
  /// HTTP" (section "Processing the response") is stricter: it warns clients of `application/json`
  /// with a status other than 200. But many servers send such responses, and the error pages of an
  /// intermediary are not GraphQL responses. Any other body is an error with the status, the media
  /// type and the beginning of the body.
  ///
  /// The body is parsed once; the result's data is a value in that document. A body that repeats a
  /// known response, or that consists of known data alone, needs no parsing.
  init(
    _ response: HTTPResponse, body: [UInt8], timing: ResultTiming?, known: JSON? = nil
  ) {
    let failure: OperationError
    do throws(JSONError) {
      let text = body.withoutByteOrderMark
      if let known, known.isAll(of: text) {
        self.init(data: known, timing: timing)
        return
      }
      let former = known?.document
      let document =
        if let former, former.hasText(text[...]) { former } else { try JSONDocument.parse(text) }
      if let content = GraphQLResponse(document.root) {
        let error = OperationError(
          content.errors, mediaType: response.mediaType, head: HTTPStatusError(response))
        self.init(data: content.data, error: error, extensions: content.extensions, timing: timing)
        return
      }
      failure = OperationError(
        response, body: body, "The response is JSON, but not a GraphQL response.")
    } catch {
      failure =
        body.isEmpty
        ? OperationError(response, body: body, "The response is empty.")
        : OperationError(
          response, body: body,
          error.isLimit
            ? "The response cannot be read: \(error)" : "The response is not JSON: \(error)", error)
    }
    self.init(error: failure, timing: timing)
  }
}

extension JSON {
  private static let start = Array(#"{"data":"#.utf8)

  /// Whether a text is a response with this value as its data and nothing else. The value must be a
  /// document of its own, as a normalized cache writes it: without white space.
  fileprivate func isAll(of text: [UInt8]) -> Bool {
    index == .root && text.last == UInt8(ascii: "}") && text.starts(with: Self.start)
      && document.hasText(text[Self.start.count..<text.count - 1])
  }
}

extension JSONError {
  /// Whether the text may be valid, but exceeds what is parsed.
  fileprivate var isLimit: Bool { code == .tooLarge || code == .tooDeep }
}

extension OperationError {
  /// Makes an error of the errors in a response, with the status if it is an error status; nil if
  /// the list is empty.
  init?(_ errors: [GraphQLError], mediaType: String?, head: HTTPStatusError?) {
    guard !errors.isEmpty else { return nil }
    self.init(
      graphQLErrors: errors, httpStatus: head?.status, mediaType: head == nil ? nil : mediaType,
      underlying: head)
  }

  /// Makes the error of a response without a GraphQL result.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - body: The body; nil if it was streamed.
  ///   - message: The defect of a response whose status is a success.
  ///   - underlying: The cause.
  init(
    _ response: HTTPResponse, body: [UInt8]? = nil, _ message: String = "",
    _ underlying: (any Error)? = nil
  ) {
    let head = HTTPStatusError(response)
    self.init(
      code: head == nil ? .malformedResponse : .httpStatus, message: head?.summary ?? message,
      httpStatus: response.status, mediaType: response.mediaType,
      bodyPrefix: body.map { String(decoding: $0.prefix(512), as: UTF8.self) },
      underlying: head ?? underlying)
  }

  /// Makes the error of a missing or incomplete response.
  ///
  /// - Parameters:
  ///   - error: The transport's error.
  ///   - status: The status of the response that broke off, if there was one.
  ///   - uploads: The operation's uploads, one of which may be the cause.
  init(transport error: HTTPTransportError, status: Int? = nil, uploads: [PlacedUpload] = []) {
    if let upload = error.underlying as? UploadError {
      self.init(upload.placed(among: uploads))
    } else if error.code == .cancelled {
      self = .cancelled
    } else {
      self.init(
        code: .transport, message: error.description, httpStatus: status, underlying: error)
    }
  }
}

extension [UInt8] {
  /// The bytes without a byte order mark, which a reader may ignore (RFC 8259, section 8.1).
  var withoutByteOrderMark: [UInt8] {
    starts(with: [0xEF, 0xBB, 0xBF]) ? Array(dropFirst(3)) : self
  }
}
