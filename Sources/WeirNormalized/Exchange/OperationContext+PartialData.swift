public import Weir

extension OperationContext {
  private enum AllowsPartialData: OperationContextKey {
    static let defaultValue = false
  }

  private enum ShowsKnownErrors: OperationContextKey {
    static let defaultValue = false
  }

  /// Whether a normalized cache may serve a field that the server failed to resolve last time: as
  /// null, with the server's error again, at its path in this operation. Otherwise the field is
  /// missing, and a request is sent. The default is false.
  ///
  /// The cache keeps errors in memory, for query fields that have no earlier value, until the field
  /// is requested again, written, removed, or invalidated. If all of them together would take more than
  /// about 1 MiB (4,000 usual ones), it drops those that it has.
  public var showsKnownErrors: Bool {
    get { self[ShowsKnownErrors.self] }
    set { self[ShowsKnownErrors.self] = newValue }
  }

  /// Whether a normalized cache may serve data in which some fields are missing: they are null, the
  /// outcome is ``CacheOutcome/partial``, and with the policy `cacheAndNetwork` a request completes
  /// the result. The default is false.
  public var allowsPartialData: Bool {
    get { self[AllowsPartialData.self] }
    set { self[AllowsPartialData.self] = newValue }
  }
}
