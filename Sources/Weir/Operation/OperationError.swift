import GraphQLLanguage

/// The reason why data is missing or incomplete.
///
/// One type for all causes: look at ``code``, and at the properties that this code fills.
///
/// The text of an error, by interpolation or `dump`, contains no header field, no variables, and no
/// part of a response's body, except what the server says about itself: the messages of
/// ``graphQLErrors`` are part of ``message``, and many servers quote variables in them. The error of
/// a document quotes the place in the document. So if a log must not contain any of that, log
/// ``code``, ``httpStatus``, and the paths of the errors. ``bodyPrefix`` and ``underlying`` are for
/// your program, not for a log.
public struct OperationError: Error, Sendable {
  /// The kind of an error. Later versions may add codes.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the code.
    public let description: String

    /// Creates a code of your own, for errors of your own exchanges.
    public init(_ name: String) {
      description = name
    }

    /// The document does not parse, or does not determine which of its operations to execute.
    public static let document = Code("document")
    /// The document has more tokens than its limit: see
    /// ``GraphQLDocument/init(_:fragments:maximumTokens:)``.
    public static let tooManyTokens = Code("tooManyTokens")
    /// The variables cannot be encoded, or a required one is absent. Nothing was sent.
    public static let variables = Code("variables")
    /// No exchange of the chain handled the operation.
    public static let unhandled = Code("unhandled")
    /// The chain ended without a result.
    public static let noResult = Code("noResult")
    /// With the policy ``RequestPolicy/cacheOnly``, no cache has the data. Nothing was sent.
    public static let notCached = Code("notCached")
    /// The caller was cancelled, or its session has ended.
    public static let cancelled = Code("cancelled")
    /// The execution took longer than ``OperationContext/totalTimeout``. A timeout of a single
    /// request has the code ``transport``.
    public static let timedOut = Code("timedOut")
    /// The response is missing or incomplete: see ``OperationError/underlying``.
    public static let transport = Code("transport")
    /// The response has no GraphQL result, and a status that explains why.
    public static let httpStatus = Code("httpStatus")
    /// The response has a status of success, but no GraphQL result.
    public static let malformedResponse = Code("malformedResponse")
    /// The server executed the operation and reports errors: see ``OperationError/graphQLErrors``.
    public static let graphQL = Code("graphQL")
    /// The data does not fit the type that was asked for.
    public static let decoding = Code("decoding")
    /// An exchange threw an error: see ``OperationError/underlying``.
    public static let exchange = Code("exchange")
  }

  private struct Fields: Sendable {
    let code: Code
    /// Nil if it consists of the messages of `graphQLErrors`.
    let message: String?
    let graphQLErrors: [GraphQLError]
    let httpStatus: Int?
    let mediaType: String?
    let bodyPrefix: String?
    let underlying: (any Error)?
  }

  private let shared: Shared<Fields>

  private var fields: Fields { shared.value }

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - code: the kind of the error.
  ///   - message: a sentence for developers, without the values of variables.
  ///   - graphQLErrors: the errors that the server reported, also if the transport failed later.
  ///   - httpStatus: the status of the response, if there was one.
  ///   - mediaType: the response's `content-type`.
  ///   - bodyPrefix: the first bytes of a body that was not a GraphQL result.
  ///   - underlying: the error that caused this one.
  public init(
    code: Code, message: String, graphQLErrors: [GraphQLError] = [], httpStatus: Int? = nil,
    mediaType: String? = nil, bodyPrefix: String? = nil, underlying: (any Error)? = nil
  ) {
    shared = Shared(
      Fields(
        code: code, message: message, graphQLErrors: graphQLErrors, httpStatus: httpStatus,
        mediaType: mediaType, bodyPrefix: bodyPrefix, underlying: underlying))
  }

  /// The kind of the error.
  public var code: Code { fields.code }
  /// A sentence for developers, in English, which may quote the server. Do not show it to users: choose
  /// a text by ``code`` (<doc:Errors>). `localizedDescription` is the same text.
  ///
  /// If ``code`` is ``Code/graphQL``, it consists of the messages of the first 100 errors, and costs as
  /// much to make each time.
  public var message: String { fields.message ?? GraphQLError.summary(of: graphQLErrors) }
  /// The errors that the server reported; not empty if ``code`` is ``Code/graphQL``. If it is
  /// ``Code/authentication``, those with which the server has rejected the operation before.
  public var graphQLErrors: [GraphQLError] { fields.graphQLErrors }
  /// The status of the response; nil without a response, and for a GraphQL result with a status of
  /// success.
  public var httpStatus: Int? { fields.httpStatus }
  /// The media type of the response; nil if ``httpStatus`` is nil or the response names none.
  public var mediaType: String? { fields.mediaType }
  /// The first bytes (at most 512) of a body that was not a GraphQL result, as text.
  public var bodyPrefix: String? { fields.bodyPrefix }
  /// The error that caused this one.
  public var underlying: (any Error)? { fields.underlying }
}

extension OperationError: CustomStringConvertible {
  /// Code and message, and if known the status and the media type.
  public var description: String {
    var text = "\(code): \(message)"
    if let httpStatus { text += " (status \(httpStatus)\(mediaType.map { ", \($0)" } ?? ""))" }
    return text
  }
}

extension OperationError: Equatable {
  /// Compares everything but the underlying errors.
  public static func == (left: OperationError, right: OperationError) -> Bool {
    left.shared === right.shared
      || left.code == right.code && left.graphQLErrors == right.graphQLErrors
        && left.message == right.message && left.httpStatus == right.httpStatus
        && left.mediaType == right.mediaType && left.bodyPrefix == right.bodyPrefix
  }
}

extension OperationError {
  /// Creates an error from the errors of a result, of which there must be at least one.
  ///
  /// Costs nothing for each error: the message is made when it is read.
  public init(graphQLErrors errors: [GraphQLError]) {
    self.init(graphQLErrors: errors, httpStatus: nil, mediaType: nil, underlying: nil)
  }

  init(
    graphQLErrors errors: [GraphQLError], httpStatus: Int?, mediaType: String?,
    underlying: (any Error)?
  ) {
    shared = Shared(
      Fields(
        code: .graphQL, message: nil, graphQLErrors: errors, httpStatus: httpStatus,
        mediaType: mediaType, bodyPrefix: nil, underlying: underlying))
  }

  init(syntaxError: GraphQLSyntaxError) {
    guard syntaxError.exceedsTokenLimit else {
      self.init(code: .document, message: "\(syntaxError)", underlying: syntaxError)
      return
    }
    self.init(
      code: .tooManyTokens,
      message: "\(syntaxError) Split the document, or pass GraphQLDocument a higher maximumTokens.",
      underlying: syntaxError)
  }

  init(exchangeFailure error: any Error) {
    if let error = error as? OperationError {
      self = error
    } else if error is CancellationError {
      self = .cancelled
    } else {
      // Only the type: the text may contain variables, or a token.
      self.init(
        code: .exchange, message: "An exchange failed: \(type(of: error)).", underlying: error)
    }
  }

  /// The error of a caller that was cancelled, or whose session has ended.
  public static let cancelled = OperationError(code: .cancelled, message: "Cancelled.")

  static func unhandled(_ operation: GraphQLOperation) -> OperationError {
    OperationError(
      code: .unhandled,
      message: "No exchange handled the \(operation.title): end the chain with .fetch.")
  }

  static let noResult = OperationError(
    code: .noResult, message: "The chain of exchanges ended without a result.")
}
