/// Which headers of a context distinguish the results of operations, and which are credentials.
///
/// Every header of ``OperationContext/headers`` is part of the key of dedup and of the caches: an
/// execution gets only what was requested under the same headers. Those that do not change what a
/// server answers are *neutral*, and no part of the key. The standard rules know the usual ones.
/// Declare others once, for a whole client:
///
/// ```swift
/// var configuration = ClientConfiguration()
/// configuration.headerRules.neutral.insert("x-build-number")
/// configuration.headerRules.credentials.insert("x-session")
/// let client = GraphQLClient(
///   [.dedup, .documentCache, .fetch(url)], configuration: configuration)
/// ```
///
/// Names are not case-sensitive. A name that ends with `*` stands for all names that begin so.
public struct HeaderRules: Hashable, Sendable {
  /// The names of headers that are not part of the key, such as those for tracing.
  public var neutral: Set<String> {
    didSet { neutralNames = HeaderNames(neutral) }
  }

  /// The names of headers that contain credentials: `authorization`, `proxy-authorization`,
  /// `cookie` and `x-api-key`. They are part of the key as a digest with a random salt, so that
  /// neither keys nor snapshots reveal them; a result under them is in no snapshot of a
  /// document cache.
  public var credentials: Set<String> {
    didSet { credentialNames = HeaderNames(credentials) }
  }

  private var neutralNames: HeaderNames
  private(set) var credentialNames: HeaderNames

  /// Creates the standard rules.
  public init() { self = .standard }

  private init(neutral: Set<String>, credentials: Set<String>) {
    self.neutral = neutral
    self.credentials = credentials
    neutralNames = HeaderNames(neutral)
    credentialNames = HeaderNames(credentials)
  }

  /// The standard rules.
  public static let standard = HeaderRules(
    neutral: [
      "accept", "content-type", "cache-control", "user-agent", "idempotency-key", "traceparent",
      "tracestate", "baggage", "b3", "x-b3-*", "sentry-trace", "x-request-id", "x-datadog-*",
      "x-amzn-trace-id", "x-apollo-operation-*", "apollo-require-preflight", "graphql-preflight",
    ],
    credentials: ["authorization", "proxy-authorization", "cookie", "x-api-key"])

  /// Whether a header is not part of the key; the name must be in lower case.
  func isNeutral(_ name: String) -> Bool { neutralNames.contains(name) }

  /// Whether a header contains credentials; the name must be in lower case.
  func isCredential(_ name: String) -> Bool { credentialNames.contains(name) }
}

/// A set of names in lower case, some of which stand for all that begin like them.
struct HeaderNames: Hashable, Sendable {
  private var names: Set<String> = []
  private var prefixes: [String] = []

  init(_ names: Set<String>) {
    for name in names.map({ $0.lowercased() }) {
      if name.last == "*" {
        prefixes.append(String(name.dropLast()))
      } else {
        self.names.insert(name)
      }
    }
    prefixes.sort()
  }

  func contains(_ name: String) -> Bool {
    names.contains(name) || prefixes.contains(where: name.hasPrefix)
  }
}
