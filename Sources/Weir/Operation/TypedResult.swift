/// A result with decoded data.
public struct TypedResult<Data: Decodable & Sendable>: Sendable {
  /// The decoded data; nil if there is none, or if it does not fit the type.
  public let data: Data?
  /// The reason why data is missing or incomplete; nil if everything went well.
  public let error: OperationError?
  /// The result before decoding.
  public let untyped: OperationResult

  /// Decodes a result's data. The value is kept with the data, even in a cache, so that the next
  /// decoding as the same type costs nothing.
  ///
  /// If the data does not fit, ``error`` has the code ``OperationError/Code/decoding``, and also
  /// the message, the server's errors and the status of an error that came beside the data.
  @inlinable @inline(never)
  public init(decoding result: consuming OperationResult) {
    // Not inlined, so that a task that waits for the result keeps no room for parts of the value.
    do throws(OperationError) {
      (data, error) = (try result.payload.decoded(as: Data.self), result.payload.error)
    } catch {
      (data, self.error) = (nil, error.adding(result.payload.error))
    }
    untyped = result
  }

  /// Whether newer data exists.
  public var isStale: Bool { untyped.isStale }
  /// Whether more of this execution's data will follow.
  public var hasNext: Bool { untyped.hasNext }
  /// Whether the data comes from a cache.
  public var outcome: CacheOutcome { untyped.outcome }
  /// Whether a cache could not read or write its storage when it made this result.
  public var isDegraded: Bool { untyped.isDegraded }
  /// The paths where the data is null because a cache was allowed to answer without them; empty for
  /// all other results.
  ///
  /// Declare the properties for fields that may be missing as optional. Otherwise the data does not fit
  /// the type: ``data`` is nil, and ``error`` has the code ``OperationError/Code/decoding``.
  public var missingPaths: [[GraphQLError.PathElement]] { untyped.missingPaths }
  /// When the response was received; nil without a response.
  public var timing: ResultTiming? { untyped.timing }
  /// The `extensions` of the response.
  public var extensions: JSON? { untyped.extensions }

  /// Returns the data or throws the error. If there are both, `allowingPartialData` decides.
  public func get(allowingPartialData: Bool = false) throws(OperationError) -> Data {
    if let error, data == nil || !allowingPartialData { throw error }
    guard let data else { throw .noData }
    return data
  }
}

extension OperationResult {
  /// Whether a cache has data that does not fit a type, perhaps of an earlier version of the app. Data
  /// that came with an error has nulls for a reason.
  @inlinable
  func isUnfitHit<Data: Decodable & Sendable>(for type: Data.Type) -> Bool {
    outcome == .hit && !isStale && !payload.fits(type)
  }
}

extension TypedResult: CustomStringConvertible {
  /// The description of the result before decoding, and an error of decoding; not the data, which may
  /// be private.
  public var description: String {
    guard let error, error.code == .decoding else { return untyped.description }
    return "\(untyped.description), \(error)"
  }
}

extension OperationError {
  /// Returns this decoding error with the error that came beside the data, which most often is its
  /// cause: the server has returned null for a field that failed.
  @usableFromInline
  func adding(_ cause: OperationError?) -> OperationError {
    guard let cause else { return self }
    return OperationError(
      code: code, message: "\(message); beside the data: \(cause.message)",
      graphQLErrors: cause.graphQLErrors, httpStatus: cause.httpStatus,
      mediaType: cause.mediaType, underlying: underlying)
  }
}
