import GraphQLLanguage

/// Why an operation has no data, or not all of it.
///
/// One type for every cause: look at ``code``, and at the fields that this code fills. It never
/// holds the operation's variables, so it may be logged.
public struct OperationError: Error, Sendable {
  /// What went wrong, coarsely. Open: later versions may add codes.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the code.
    public let description: String

    /// A code of one's own, for errors that an exchange of one's own makes.
    public init(_ name: String) {
      description = name
    }

    /// The document does not parse, or does not say which of its operations is meant.
    public static let document = Code("document")
    /// The variables cannot be encoded.
    public static let variables = Code("variables")
    /// No exchange of the chain handled the operation.
    public static let unhandled = Code("unhandled")
    /// The chain ended without any result.
    public static let noResult = Code("noResult")
    /// The caller was cancelled, or the session that it belonged to has ended.
    public static let cancelled = Code("cancelled")
    /// No response, or not all of one: see ``OperationError/underlying``.
    public static let transport = Code("transport")
    /// A response without a GraphQL result, with a status that says why.
    public static let httpStatus = Code("httpStatus")
    /// A response that is not a GraphQL result, with a status that promised one.
    public static let malformedResponse = Code("malformedResponse")
    /// The server executed the operation and reports errors: see ``OperationError/graphQLErrors``.
    public static let graphQL = Code("graphQL")
    /// The data do not fit the type that was asked for.
    public static let decoding = Code("decoding")
    /// An exchange threw an error: see ``OperationError/underlying``.
    public static let exchange = Code("exchange")
  }

  private final class Fields: Sendable {
    let code: Code
    let message: String
    let graphQLErrors: [GraphQLError]
    let httpStatus: Int?
    let mediaType: String?
    let bodyPrefix: String?
    let underlying: (any Error)?

    init(
      code: Code, message: String, graphQLErrors: [GraphQLError], httpStatus: Int?,
      mediaType: String?, bodyPrefix: String?, underlying: (any Error)?
    ) {
      self.code = code
      self.message = message
      self.graphQLErrors = graphQLErrors
      self.httpStatus = httpStatus
      self.mediaType = mediaType
      self.bodyPrefix = bodyPrefix
      self.underlying = underlying
    }
  }

  private let fields: Fields

  /// An error of any code.
  ///
  /// - Parameters:
  ///   - code: what went wrong, coarsely.
  ///   - message: a sentence for a person; no variables in it.
  ///   - graphQLErrors: what the server reported, also beside a failure of the transport.
  ///   - httpStatus: the status of the response, if there was one.
  ///   - mediaType: the response's `content-type`.
  ///   - bodyPrefix: the first bytes of a body that was no GraphQL result.
  ///   - underlying: the error that caused this one.
  public init(
    code: Code, message: String, graphQLErrors: [GraphQLError] = [], httpStatus: Int? = nil,
    mediaType: String? = nil, bodyPrefix: String? = nil, underlying: (any Error)? = nil
  ) {
    fields = Fields(
      code: code, message: message, graphQLErrors: graphQLErrors, httpStatus: httpStatus,
      mediaType: mediaType, bodyPrefix: bodyPrefix, underlying: underlying)
  }

  /// What went wrong, coarsely.
  public var code: Code { fields.code }
  /// A sentence for a person.
  public var message: String { fields.message }
  /// The errors that the server reported; not empty if ``code`` is ``Code/graphQL``.
  public var graphQLErrors: [GraphQLError] { fields.graphQLErrors }
  /// The status of the response; nil if there was none, and for a GraphQL result under a status of
  /// success.
  public var httpStatus: Int? { fields.httpStatus }
  /// The media type of the response; nil where ``httpStatus`` is, and if the response names none.
  public var mediaType: String? { fields.mediaType }
  /// The first bytes (at most 512) of a body that was no GraphQL result, as text.
  public var bodyPrefix: String? { fields.bodyPrefix }
  /// The error that caused this one.
  public var underlying: (any Error)? { fields.underlying }
}

extension OperationError: CustomStringConvertible {
  /// Code and message, and where there are any, status, media type and the number of bytes seen.
  public var description: String {
    var text = "\(code): \(message)"
    if let httpStatus { text += " (status \(httpStatus)\(mediaType.map { ", \($0)" } ?? ""))" }
    return text
  }
}

extension OperationError: Equatable {
  /// Compares what is reported, not the underlying errors.
  public static func == (left: OperationError, right: OperationError) -> Bool {
    left.fields === right.fields
      || left.code == right.code && left.message == right.message
        && left.graphQLErrors == right.graphQLErrors && left.httpStatus == right.httpStatus
        && left.mediaType == right.mediaType && left.bodyPrefix == right.bodyPrefix
  }
}

extension OperationError {
  /// The errors of a result that the server executed.
  ///
  /// - Parameter errors: at least one.
  public init(graphQLErrors errors: [GraphQLError]) {
    self.init(
      code: .graphQL, message: errors.map(\.message).joined(separator: "; "),
      graphQLErrors: errors)
  }

  init(syntaxError: GraphQLSyntaxError) {
    self.init(
      code: .document, message: "\(syntaxError)", underlying: syntaxError)
  }

  init(exchangeFailure error: any Error) {
    if let error = error as? OperationError {
      self = error
    } else if error is CancellationError {
      self = .cancelled
    } else {
      // Only its type: its text may hold variables, or a token.
      self.init(
        code: .exchange, message: "An exchange failed: \(type(of: error)).", underlying: error)
    }
  }

  /// The caller was cancelled, or its session has ended.
  public static let cancelled = OperationError(code: .cancelled, message: "Cancelled.")

  static func unhandled(_ operation: GraphQLOperation) -> OperationError {
    OperationError(
      code: .unhandled,
      message: "No exchange handles this \(operation.kind.rawValue); does the chain end in .fetch?")
  }

  static let noResult = OperationError(
    code: .noResult, message: "The chain of exchanges ended without a result.")
}
