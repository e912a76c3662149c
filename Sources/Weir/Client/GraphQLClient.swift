public import Foundation
internal import WeirSupport

/// A GraphQL client, which executes operations through a chain of exchanges.
///
/// ```swift
/// let client = GraphQLClient(url: url)                         // dedup → document cache → fetch
/// let client = GraphQLClient([.dedup, .documentCache, Stopwatch(), .fetch(url)])
/// ```
///
/// A client is cheap: it holds its chain and its session. Share one in the whole app, or
/// create as many as you like. You can call all methods from any thread or actor. Asynchronous
/// methods keep the caller's isolation.
public final class GraphQLClient: Sendable {
  let exchanges: [any Exchange]
  /// Nil stands for the default, so that an ordinary operation carries nothing.
  let configuration: ClientConfiguration?
  private let chain: Forward
  /// The document cache, if nothing changes an operation or a hit above it: dedup passes hits on.
  let nearCache: DocumentCacheExchange?
  /// The first exchange, if it is dedup and the near cache follows.
  let nearDedup: DedupExchange?
  let sessions: SessionKeeper
  /// The report of `peek` if it is not answered at once.
  let slowPeek: ClientDiagnostic?
  private let reported = Locked<Set<ClientDiagnostic>>([])
  /// Measures total timeouts.
  let sleep: @Sendable (Duration) async throws -> Void

  /// Creates a client with a chain of your own; the first exchange is the nearest to the caller.
  ///
  /// Probable mistakes in the chain are reported to ``ClientConfiguration/onDiagnostic``: exchanges
  /// that never run, two dedup exchanges or caches, and exchanges that stand on the wrong side of a cache.
  ///
  /// - Parameters:
  ///   - exchanges: the chain.
  ///   - configuration: what applies to the whole chain, for example which headers keep results
  ///     apart, and whether the client serves several users. With any configuration, each operation carries
  ///     it through the chain, which costs allocations, also for a hit that the client would otherwise take
  ///     directly from the document cache.
  ///   - clock: the clock that measures ``OperationContext/totalTimeout``.
  public init(
    _ exchanges: [any Exchange], configuration: ClientConfiguration? = nil,
    clock: some Clock<Duration> = ContinuousClock()
  ) {
    sleep = { try await clock.wait(for: $0) }
    self.exchanges = exchanges
    self.configuration = configuration
    chain = Forward(exchanges)
    nearCache =
      configuration == nil
      ? exchanges.first { !($0 is DedupExchange) } as? DocumentCacheExchange : nil
    nearDedup = nearCache == nil ? nil : exchanges.first as? DedupExchange
    let check = ChainCheck(exchanges)
    sessions = SessionKeeper(beginningWith: check.session)
    slowPeek = check.slowPeek
    for diagnostic in check.diagnostics { report(diagnostic) }
  }

  /// Creates a client with dedup, a document cache, and HTTP through `URLSession`.
  public convenience init(url: URL) {
    self.init([.dedup, .documentCache, .fetch(url)])
  }

  /// Passes an operation to the chain, or answers with the reason why it cannot be executed. The
  /// time for it is limited if the context says so.
  @inline(__always)
  func forward(_ operation: GraphQLOperation) -> ResultStream {
    let stream = execute(operation)
    // A hit needs no limit, and pays nothing for it.
    if case .just = stream.content { return stream }
    return deadline(of: operation).map(stream.ending) ?? stream
  }

  @inline(__always)
  func execute(_ operation: GraphQLOperation) -> ResultStream {
    if let refusal = refusal(of: operation) { return .just(refusal) }
    // Not one expression: that would copy the operation.
    if configuration == nil { return chain(operation) }
    return chain(configured(operation))
  }

  /// Returns the error of an operation that cannot be executed. Reports a diagnostic, if there is one.
  @inline(__always)
  private func refusal(of operation: GraphQLOperation) -> OperationResult? {
    switch operation.remark {
    case nil: return nil
    case .defect(let error): return OperationResult(error: error)
    case .diagnostic(let diagnostic):
      report(diagnostic.value)
      return nil
    }
  }

  /// Reports a probable mistake, once.
  func report(_ diagnostic: ClientDiagnostic) {
    // Documents made at run time could have any number of mistakes.
    let isNew = reported.withLock { $0.count < 1_000 && $0.insert(diagnostic).inserted }
    if isNew { (configuration ?? ClientConfiguration()).report(diagnostic) }
  }

  /// The operation as its key is when it enters the chain.
  func configured(_ operation: GraphQLOperation) -> GraphQLOperation {
    guard let configuration else { return operation }
    return operation.with { $0.client = configuration }
  }
}

extension GraphQLOperation {
  func stamped(_ session: Session) -> GraphQLOperation {
    var copy = self
    copy.context.session = session
    return copy
  }
}
