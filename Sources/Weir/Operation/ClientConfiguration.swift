/// The settings of a ``GraphQLClient`` that apply to its whole chain.
///
/// ```swift
/// var configuration = ClientConfiguration()
/// configuration.servesSeveralUsers = true
/// let client = GraphQLClient(
///   [.dedup, .documentCache, .fetch(url)], configuration: configuration)
/// ```
///
/// A client without a configuration is the fastest: it looks into a document cache that is below nothing but
/// dedup without passing the chain.
public struct ClientConfiguration: Sendable {
  /// Which headers of a context keep results apart, and which contain credentials.
  public var headerRules = HeaderRules.standard

  /// Whether the client executes operations of several users at once, as in a server. False by
  /// default.
  ///
  /// Then each user's credentials must be in ``OperationContext/headers`` before an operation
  /// reaches dedup or a cache, because only those are part of the key. If an exchange or
  /// ``FetchConfiguration/headers`` adds credentials further down, the users would share results.
  /// The fetch exchange therefore compares the credentials that it sends: it refuses the request
  /// (``OperationError/Code/credentials``) if it has sent others for the same endpoint and headers,
  /// so nothing of a second user is stored or shared.
  ///
  /// The first user's results may have reached others before that: an execution that is answered by
  /// a cache, or joins a request, sends nothing that could be compared. So test with two users, and
  /// treat the error as a mistake in the program.
  public var servesSeveralUsers = false

  /// The total timeout of queries and mutations whose context has none. Nil, the default, for no limit. See
  /// ``OperationContext/totalTimeout``.
  public var totalTimeout: Duration?

  /// Called for a probable mistake in the use of the client, once for each. Nil by default: a debug
  /// build then prints it to standard error.
  public var onDiagnostic: (@Sendable (ClientDiagnostic) -> Void)?

  /// Creates the default configuration.
  public init() {}
}

/// A probable mistake in the use of a client.
public struct ClientDiagnostic: Hashable, Sendable, CustomStringConvertible {
  /// The kinds of mistakes.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// A stable name for logs.
    public let rawValue: String

    /// Creates a kind of your own.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Operations with the same key were sent with different credentials.
    public static let credentials = Code(rawValue: "credentials")
  }

  /// The kind of the mistake.
  public let code: Code
  /// What is wrong and what to do, without credentials or variables.
  public let message: String

  /// The code and the message.
  public var description: String { "\(code.rawValue): \(message)" }

  /// Creates a diagnostic.
  public init(code: Code, message: String) {
    self.code = code
    self.message = message
  }
}
