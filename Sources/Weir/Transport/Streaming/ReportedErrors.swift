/// Responses that are made of errors which a server reports in another form.
enum ReportedErrors {
  /// Returns the text of a response with what a server says is an error, in a message or event of that
  /// name.
  ///
  /// The protocols require a list. Some servers send one error, or a whole response; whatever they
  /// send, it ends one operation, and the response has at least one error.
  static func response(to report: JSON?) -> [UInt8] {
    guard let report else { return response(errors: unnamed) }
    if report.isFilledList { return response(errors: report.bytes) }
    if report["errors"]?.isFilledList == true { return Array(report.bytes) }
    guard report["message"] != nil else { return response(errors: unnamed) }
    return response(errors: Array("[".utf8) + report.bytes + Array("]".utf8))
  }

  /// Returns the text of a response with these errors.
  static func response(errors: some Sequence<UInt8>) -> [UInt8] {
    Array(#"{"errors":"#.utf8) + errors + [UInt8(ascii: "}")]
  }

  private static let unnamed = Array(
    #"[{"message":"The server reported an error without a message."}]"#.utf8)
}

/// The response by whose errors a server has ended a subscription of a transport other than HTTP.
struct EndingResponse: Error {
  let json: JSON
}

extension OperationError {
  /// Makes the error that ends the payloads of a subscription.
  init(endedBy response: JSON) {
    self.init(
      graphQLErrors: GraphQLResponse(response)?.errors ?? [], httpStatus: nil, mediaType: nil,
      underlying: EndingResponse(json: response))
  }
}

extension JSON {
  fileprivate var isFilledList: Bool { kind == .array && count > 0 }
}
