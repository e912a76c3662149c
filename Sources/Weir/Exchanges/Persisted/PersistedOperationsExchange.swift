import Foundation

/// Sends what the server knows a document by, instead of its text. It stands below cache and retry,
/// right above fetch:
///
/// ```swift
/// let client = GraphQLClient([
///   .dedup, .documentCache, .persistedOperations(), .fetch(url),
/// ])
///
/// var configuration = PersistedOperationsConfiguration()
/// configuration.manifest = try JSON(parsing: file).decode(PersistedManifest.self)
/// configuration.unregistered = .refused   // the server takes no other documents
/// let strict = GraphQLClient([.dedup, .persistedOperations(configuration), .fetch(url)])
/// ```
///
/// - **Registered documents** are named by their identifier in the manifest. If the server does not
///   know it after all, its error is the result.
/// - **Automatic persisted queries**: the SHA-256 of the text is sent first, as the extension
///   `persistedQuery`. If the server answers `PersistedQueryNotFound` (as the message of an error, or
///   its code `PERSISTED_QUERY_NOT_FOUND`), hash and text are sent by POST, and from then on it knows
///   the hash. If it answers `PersistedQueryNotSupported`, the text is sent, and for that endpoint no
///   hash is tried again until the session is switched. In both cases nothing has been executed
///   before, so a mutation is safe. A server that answers neither to a hash it cannot read does not
///   implement the protocol; its error is the result. Operations with files send their text.
///
/// A hash costs about 10 µs for a document of 2 KB where the platform has no SHA-256, once per
/// document.
public final class PersistedOperationsExchange: StatefulExchange {
  private let configuration: PersistedOperationsConfiguration
  /// The endpoints (nil for fetch's own) that said that they know no hashes.
  private let refusing = Locked<Set<URL?>>([])

  /// An exchange with a configuration; by default queries send their hash first.
  public init(_ configuration: PersistedOperationsConfiguration = .init()) {
    self.configuration = configuration
  }

  /// Forwards the operation with request parameters that name its document.
  public func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    if let id = configuration.manifest?.id(of: operation) {
      return forward(registered(operation, as: id))
    }
    switch configuration.unregistered {
    case .refused:
      let manifest = configuration.manifest ?? PersistedManifest(hashing: [])
      return .just(OperationResult(error: manifest.absence(of: operation)))
    // Files would be sent with the hash, and once more with the text.
    case .automatic
    where configuration.automaticKinds.contains(operation.kind) && operation.uploads.isEmpty:
      return ResultStream(source: { [self] in
        AutomaticSource(exchange: self, operation: operation, forward: forward)
      })
    case .automatic, .text:
      return forward(operation)
    }
  }

  /// Nothing that is cached is kept here.
  public func invalidate(_ invalidation: Invalidation) {}

  /// Hashes are tried again.
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
  /// What is sent first.
  fileprivate func firstAttempt(_ operation: GraphQLOperation) -> GraphQLOperation {
    let isRefused = refusing.withLock { $0.contains(operation.context.endpoint) }
    return isRefused
      ? operation : hashed(operation, as: operation.prepared.textDigest.hexadecimal)
  }

  /// What is sent after the first attempt; nil if its result is to be kept.
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

  private var code: String? { extensions?["code"]?.string }
}

extension Exchange where Self == PersistedOperationsExchange {
  /// Sends what the server knows a document by; see ``PersistedOperationsExchange``. Place it right
  /// above fetch.
  public static func persistedOperations(
    _ configuration: PersistedOperationsConfiguration = PersistedOperationsConfiguration()
  ) -> PersistedOperationsExchange {
    PersistedOperationsExchange(configuration)
  }
}

/// One execution that sends the hash first: at most two runs of the chain below.
private final class AutomaticSource: ResultSource {
  private let exchange: PersistedOperationsExchange
  private let operation: GraphQLOperation
  private let forward: Forward
  private var results: ResultStream.Iterator?

  init(exchange: PersistedOperationsExchange, operation: GraphQLOperation, forward: Forward) {
    self.exchange = exchange
    self.operation = operation
    self.forward = forward
  }

  override func next(isolation: isolated (any Actor)?) async -> OperationResult? {
    if results != nil { return await results?.next(isolation: isolation) }
    let first = exchange.firstAttempt(operation)
    results = forward(first).makeAsyncIterator()
    let result = await results?.next(isolation: isolation)
    guard first.context.requestParameters.document == .omitted, let result,
      let second = exchange.secondAttempt(operation, after: result)
    else { return result }
    results = forward(second).makeAsyncIterator()
    return await results?.next(isolation: isolation)
  }
}
