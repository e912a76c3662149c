extension OperationError {
  /// Whether the same request may succeed later: the connection failed, was lost or timed out, but was
  /// not closed for good (``SocketClosure/isFinal``); the ``OperationContext/totalTimeout`` was over;
  /// or the status is 408, 425, 429, 500, 502, 503 or 504, or one of 520 to 524, by which Cloudflare says that
  /// it cannot reach the server; or Apollo Router has ended a subscription by a GraphQL error whose
  /// `extensions.code` is `SUBSCRIPTION_SCHEMA_RELOAD` or `SUBSCRIPTION_CONFIG_RELOAD`, after which clients may
  /// subscribe again. With the code ``Code/transport``, an underlying error that is neither a
  /// ``SocketClosure`` nor an ``HTTPTransportError`` is transient. With the code ``Code/authentication``, the error
  /// that loading or renewing the credentials has thrown decides: an `OperationError` or an
  /// ``HTTPTransportError`` that is transient, a `URLError` of the connection, or that it took too long. Errors of
  /// your app's own are not transient.
  public var isTransient: Bool {
    if let httpStatus, code == .httpStatus || code == .graphQL {
      return [408, 425, 429, 500, 502, 503, 504].contains(httpStatus)
        || (520...524).contains(httpStatus)
    }
    if code == .graphQL { return graphQLErrors.contains(where: \.saysReloaded) }
    if code == .authentication { return isTransientRenewal }
    guard code == .transport else { return code == .timedOut }
    if let closure = underlying as? SocketClosure { return !closure.isFinal }
    guard let error = underlying as? HTTPTransportError else { return true }
    switch error.code {
    case .timedOut, .cannotConnect, .hostNotFound, .offline, .connectionLost, .other: return true
    default: return false
    }
  }
}

extension GraphQLError {
  /// Whether the server has ended a subscription because it has a new schema or configuration.
  fileprivate var saysReloaded: Bool {
    ["SUBSCRIPTION_SCHEMA_RELOAD", "SUBSCRIPTION_CONFIG_RELOAD"].contains(code)
  }
}
