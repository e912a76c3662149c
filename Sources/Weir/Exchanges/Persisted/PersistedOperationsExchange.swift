import Foundation

/// Sends the identifier of a document instead of its text. Place it below cache and retry, directly
/// above fetch. A ``SubscriptionExchange`` above it sends its operations itself, with their text, whatever
/// the configuration says: place this exchange above that one if it is to identify or refuse them, too.
///
/// ```swift
/// let client = GraphQLClient([
///   .dedup, .documentCache, .persistedOperations(), .fetch(url),
/// ])
///
/// var configuration = PersistedOperationsConfiguration()
/// configuration.manifest = try JSONDecoder().decode(PersistedManifest.self, from: Data(contentsOf: fileURL))
/// configuration.unregistered = .refused   // the server accepts no other documents
/// let strict = GraphQLClient([.dedup, .persistedOperations(configuration), .fetch(url)])
/// ```
///
/// - **Registered documents** are identified as in the manifest. If the server does not know the
///   identifier, its error is the result.
/// - **Automatic persisted queries**: the SHA-256 of the text is sent first, in the extension
///   `persistedQuery`. If the server answers `PersistedQueryNotFound` (as the message of an error,
///   or by its code `PERSISTED_QUERY_NOT_FOUND`), hash and text are sent by POST, and the server
///   stores the text under the hash. If it answers `PersistedQueryNotSupported`, the text is sent,
///   and no hash is sent to that endpoint until the session is switched. In both cases the server
///   has not executed the operation before, so mutations are safe. If a server that does not
///   support the protocol gives another error, that is the result. For operations with files the
///   text is sent.
///
/// Where the platform has no SHA-256, the hash of a 2 KB document takes about 10 µs, once for each
/// document.
public final class PersistedOperationsExchange: StatefulExchange {
  private let configuration: PersistedOperationsConfiguration
  /// The endpoints (nil for fetch's own) that do not support hashes.
  private let refusing = Locked<Set<URL?>>([])

  /// Makes an exchange; by default, the hashes of queries are sent first.
  public init(_ configuration: PersistedOperationsConfiguration = .init()) {
    self.configuration = configuration
  }

  /// Forwards the operation with request parameters that identify its document.
  public func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    if let id = configuration.manifest?.id(of: operation) {
      return forward(registered(operation, as: id))
    }
    switch configuration.unregistered {
    case .refused:
      let manifest = configuration.manifest ?? PersistedManifest(hashing: [])
      return .just(OperationResult(error: manifest.absence(of: operation)))
    // Files would be sent twice, with the hash and with the text.
    case .automatic
    where configuration.automaticKinds.contains(operation.kind) && operation.uploads.isEmpty:
      return ResultStream(source: { [self] in AutomaticSource(self, operation, forward) })
    case .automatic, .text:
      return forward(operation)
    }
  }

  /// Whether all queries wait for the server's answer to their hash. (With a manifest, its queries do not.)
  var suspends: Bool {
    configuration.manifest == nil && configuration.unregistered == .automatic
      && configuration.automaticKinds.contains(.query)
  }

  /// Whether operations of a kind are to be refused, or sent without their text. (Documents of the manifest
  /// do not count: for subscriptions, many servers accept only the text.)
  func changes(_ kind: GraphQLOperation.Kind) -> Bool {
    switch configuration.unregistered {
    case .refused: true
    case .automatic: configuration.automaticKinds.contains(kind)
    case .text: false
    }
  }

  /// Does nothing: no results are kept.
  public func invalidate(_ invalidation: Invalidation) {}

  /// Allows hashes to be sent to all endpoints again.
  public func switchSession(to session: Session) {
    refusing.withLock { $0 = [] }
  }

  private func registered(_ operation: GraphQLOperation, as id: String) -> GraphQLOperation {
    switch configuration.identification {
    case .documentId:
      var named = operation
      named.context.requestParameters.document = .id(id)
      named.context.prefersGET = prefersGET(operation)
      return named
    case .persistedQuery:
      return hashed(operation, as: id)
    }
  }

  private func hashed(_ operation: GraphQLOperation, as hash: String) -> GraphQLOperation {
    var hashed = operation
    hashed.context.requestParameters.document = .omitted
    hashed.context.requestParameters.extensions["persistedQuery"] = [
      "version": 1, "sha256Hash": .string(hash),
    ]
    hashed.context.prefersGET = prefersGET(operation)
    return hashed
  }

  private func prefersGET(_ operation: GraphQLOperation) -> Bool? {
    operation.context.prefersGET ?? (configuration.prefersGET ? true : nil)
  }
}

extension PersistedOperationsExchange {
  /// Returns the operation to send first.
  fileprivate func firstAttempt(_ operation: GraphQLOperation) -> GraphQLOperation {
    let isRefused = refusing.withLock { $0.contains(operation.context.endpoint) }
    return isRefused
      ? operation : hashed(operation, as: operation.prepared.textDigest.hexadecimal)
  }

  /// Returns the operation to send after the first attempt; nil if its result is final.
  fileprivate func secondAttempt(
    _ operation: GraphQLOperation, after result: OperationResult
  ) -> GraphQLOperation? {
    guard result.data == nil, let errors = result.error?.graphQLErrors else { return nil }
    if errors.contains(where: \.saysHashesAreUnsupported) {
      refusing.withLock { _ = $0.insert(operation.context.endpoint) }
      return operation
    }
    guard errors.contains(where: \.saysHashIsUnknown) else { return nil }
    var full = firstAttempt(operation)
    full.context.requestParameters.document = .text
    full.context.prefersGET = false
    return full
  }
}

extension GraphQLError {
  fileprivate var saysHashIsUnknown: Bool {
    message == "PersistedQueryNotFound" || code == "PERSISTED_QUERY_NOT_FOUND"
  }

  fileprivate var saysHashesAreUnsupported: Bool {
    message == "PersistedQueryNotSupported" || code == "PERSISTED_QUERY_NOT_SUPPORTED"
  }
}

extension Exchange where Self == PersistedOperationsExchange {
  /// Sends the identifier of a document instead of its text; see ``PersistedOperationsExchange``.
  /// Place it directly above fetch, or above a ``SubscriptionExchange``.
  public static func persistedOperations(
    _ configuration: PersistedOperationsConfiguration = PersistedOperationsConfiguration()
  ) -> PersistedOperationsExchange {
    PersistedOperationsExchange(configuration)
  }
}

/// One execution that sends the hash first: it runs the chain below at most twice.
private final class AutomaticSource: ExecutionSource<PersistedOperationsExchange> {
  private enum Attempt {
    case hash
    /// A result has shown that the server knows the hash.
    case knownHash
    case text
  }

  private var results: ResultStream.Iterator?
  private var attempt = Attempt.hash
  /// That of a subscription, unless an exchange above has one.
  private var acceptance: SubscriptionAcceptance?

  override func next() async -> OperationResult? {
    if results == nil {
      var first = exchange.firstAttempt(operation)
      if operation.kind == .subscription, operation.context.acceptance == nil {
        acceptance = SubscriptionAcceptance()
        first.context.acceptance = acceptance
      }
      if first.context.requestParameters.document != .omitted { attempt = .text }
      results = forward(first).makeAsyncIterator()
    }
    let result = await results?.next()
    // Not only the first result: a subscription may resume at a server that does not know the hash.
    guard attempt != .text, let result,
      var second = exchange.secondAttempt(operation, after: result)
    else {
      if attempt == .hash { attempt = .knownHash }
      return result
    }
    // A subscription that has run resumes where it was lost. One that has not run has missed nothing.
    if attempt == .knownHash, let acceptance { second.context.acceptance = acceptance }
    attempt = .text
    results = forward(second).makeAsyncIterator()
    return await results?.next()
  }
}
