extension OperationResult {
  /// What a complete HTTP response means to each of the operations of a batch.
  ///
  /// A list gives each its own result, by position, in a document of its own: results are kept for
  /// different lengths of time. A list of another length says nothing about anybody. A response that
  /// is no list concerns all: errors, as of a server that takes no batches, or no GraphQL at all.
  static func batch(
    of count: Int, status: Int, headers: HTTPHeaders, body: [UInt8], timing: ResultTiming?
  ) -> [OperationResult] {
    func result(_ body: [UInt8]) -> OperationResult {
      OperationResult(status: status, headers: headers, body: body, timing: timing)
    }
    func all(_ result: OperationResult) -> [OperationResult] {
      Array(repeating: result, count: count)
    }
    guard let json = try? JSON(parsing: body.withoutByteOrderMark) else { return all(result(body)) }
    guard json.kind == .array else {
      let shared = result(body)
      guard shared.data != nil else { return all(shared) }
      return all(mismatch("is that of one operation", of: count, status, headers, body, timing))
    }
    guard json.count == count else {
      let reason = "has \(json.count) results"
      return all(mismatch(reason, of: count, status, headers, body, timing))
    }
    return json.elements.map { result(Array($0.bytes)) }
  }

  private static func mismatch(
    _ reason: String, of count: Int, _ status: Int, _ headers: HTTPHeaders, _ body: [UInt8],
    _ timing: ResultTiming?
  ) -> OperationResult {
    let isSuccess = (200..<300).contains(status)
    let error = OperationError(
      code: isSuccess ? .malformedResponse : .httpStatus,
      message: "The response to a batch of \(count) operations \(reason).", httpStatus: status,
      mediaType: headers["content-type"],
      bodyPrefix: String(decoding: body.prefix(512), as: UTF8.self),
      underlying: isSuccess ? nil : HTTPStatusError(status: status, headers: headers))
    return OperationResult(error: error, timing: timing)
  }
}
