import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension OperationError {
  /// Makes an error of the failed authentication and the server's rejection. For a foreign error,
  /// the message has only its type, because its text may contain a token.
  init(authenticationFailure error: any Error, rejection: OperationError?) {
    let known = error as? OperationError
    if let known, known.code == .cancelled {
      self = known
      return
    }
    let reason = known?.description ?? "\(type(of: error))"
    self.init(
      code: .authentication, message: "Loading or refreshing credentials failed (\(reason)).",
      graphQLErrors: rejection?.graphQLErrors ?? [], httpStatus: rejection?.httpStatus,
      mediaType: rejection?.mediaType, underlying: error)
  }

  /// Whether loading or renewing credentials has failed with an error of the app's own.
  var isAppsOwn: Bool {
    switch underlying {
    case is OperationError, is HTTPTransportError, is URLError, is POSIXError: false
    default: true
    }
  }

  /// The error with the media type of the response to the renewal, not of the rejection before it.
  var asRenewalFailure: OperationError {
    OperationError(
      code: code, message: message, graphQLErrors: graphQLErrors, httpStatus: httpStatus,
      mediaType: (underlying as? OperationError)?.mediaType, underlying: underlying)
  }

  /// Whether loading or renewing credentials has failed for a reason that is known to pass. An error of the
  /// app's own may say that the user has to sign in again.
  var isTransientRenewal: Bool {
    switch underlying {
    case let error as OperationError: error.isTransient
    case let error as HTTPTransportError: OperationError(transport: error).isTransient
    // Apps throw that one themselves, for any status.
    case let error as URLError where error.code != .badServerResponse: Self.mayPass(error)
    // Apple's systems throw these for connections that have died while the app was suspended.
    case let error as POSIXError: Self.mayPass(error)
    default: false
    }
  }

  private static func mayPass(_ error: any Error) -> Bool {
    switch HTTPTransportError(urlError: error, headArrived: false).code {
    case .timedOut, .cannotConnect, .hostNotFound, .offline, .connectionLost: true
    default: false
    }
  }
}
