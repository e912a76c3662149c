extension OperationResult {
  /// Returns the results of a complete HTTP response for the operations of a batch.
  ///
  /// A list contains each operation's result at its position, unless each has a `requestIndex`. Each
  /// result is parsed into a document of its own, because results are kept for different lengths of
  /// time. If the count differs, or the indices do not name each operation once, every operation fails. A
  /// response that is not a list concerns all operations: errors, for example from a server that does
  /// not support batches, or not a GraphQL response at all.
  static func batch(
    of count: Int, _ response: HTTPResponse, body: [UInt8], timing: ResultTiming?
  ) -> [OperationResult] {
    func result(_ body: [UInt8]) -> OperationResult {
      OperationResult(response, body: body, timing: timing)
    }
    func mismatch(_ reason: String) -> OperationResult {
      let message = "The response to a batch of \(count) operations \(reason)."
      return OperationResult(error: OperationError(response, body: body, message), timing: timing)
    }
    let shared: OperationResult
    if let json = try? JSON(parsing: body.withoutByteOrderMark), json.kind == .array {
      let hasAll = json.count == count
      if hasAll, let results = json.resultsInOrder {
        return results.map { result(Array($0.bytes)) }
      }
      shared = mismatch(hasAll ? "has wrong indices" : "has \(json.count) results")
    } else {
      let whole = result(body)
      shared = whole.data == nil ? whole : mismatch("contains the result of one operation")
    }
    return Array(repeating: shared, count: count)
  }
}

extension JSON {
  /// The results of a list in the order of their operations; nil if some have an index, but the indices do
  /// not name each operation once.
  fileprivate var resultsInOrder: [JSON]? {
    let results = Array(elements)
    if results.allSatisfy({ $0["requestIndex"] == nil }) { return results }
    let found = Dictionary(
      results.map { ($0["requestIndex"]?.exactInt, $0) }, uniquingKeysWith: { first, _ in first })
    let inOrder = results.indices.compactMap { found[$0] }
    return inOrder.count == results.count ? inOrder : nil
  }
}
