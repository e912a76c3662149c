public import Foundation

/// Sends operations by HTTP, and those that start together in one request: a JSON array of what
/// each would send alone. Place it at the end of the chain, instead of ``FetchExchange``:
///
/// ```swift
/// let client = GraphQLClient([.dedup, .documentCache, .batchFetch(url)])
/// async let feed = client.query(feedQuery)
/// async let user = client.query(userQuery)   // one request, if the server supports batches
/// ```
///
/// The server must support batches; otherwise it answers with an error, which all operations of the
/// batch get. Operations share a request if they have the same endpoint, kind, and header fields. Neutral
/// fields (``HeaderRules/neutral``), such as those for tracing, may differ, except credentials,
/// `cache-control` and fields for idempotency: the request has the first operation's. Mutations are
/// listed in the order in which their header fields were ready; await one before you start the
/// next if the order matters. Results are matched by position, or by their `requestIndex` if each has one;
/// if they do not fit the operations, every operation fails (``OperationError/Code/malformedResponse``).
///
/// A single operation is sent as ``FetchExchange`` sends it, and so are operations with files, with
/// `@defer` or `@stream`, those to be sent by GET, and those with a time limit of their own
/// (``OperationContext/requestTimeout``). An operation that is cancelled before the
/// request is sent is left out; the response to one that is cancelled later is ignored. When all
/// are cancelled, so is the request. A batch waits for its slowest operation; it saves the overhead
/// of requests.
public final class BatchFetchExchange: StatefulExchange, SessionHolder, ReopeningExchange {
  private let batching: BatchConfiguration
  private let fetch: FetchExchange
  /// Sends the operation of a batch that has only one. Its header fields were requested before.
  private let fetchAlone: FetchExchange
  private let collecting = Locked<[Batch.Key: Batch]>([:])

  /// Makes an exchange that sends to one URL, unless an operation's context has another endpoint.
  ///
  /// - Parameters:
  ///   - url: The server's URL; its query items are kept.
  ///   - configuration: The settings of requests.
  ///   - batching: Which operations share a request.
  public init(
    _ url: URL, configuration: FetchConfiguration = FetchConfiguration(),
    batching: BatchConfiguration = BatchConfiguration()
  ) {
    self.batching = batching
    fetch = FetchExchange(url, configuration: configuration)
    var alone = configuration
    alone.headers = { _ in [:] }
    fetchAlone = FetchExchange(url, alone, fetch.sender.credentials)
  }

  /// Waits for other operations when the stream is iterated, then sends.
  public func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    guard canBeBatched(operation) else { return fetch.execute(operation, forward: forward) }
    return ResultStream(source: { [self] in BatchSource(self, operation) })
  }

  func reconnection(of subscription: GraphQLOperation, forward: Forward) -> Reconnection? {
    fetch.reconnection(of: subscription, forward: forward)
  }

  package var session: Session { fetch.session }

  /// Does nothing: the exchange keeps no results.
  public func invalidate(_ invalidation: Invalidation) {}

  /// Whether subscriptions are left to the exchanges after this one.
  var forwardsSubscriptions: Bool { fetch.forwardsSubscriptions }

  /// From now on, credentials that the configuration returns are not sent for older sessions.
  public func switchSession(to session: Session) { fetch.switchSession(to: session) }

  private var configuration: FetchConfiguration { fetch.sender.configuration }

  /// The number of operations that wait for others.
  var waitingCount: Int {
    collecting.withLock { $0.values.reduce(0) { $0 + $1.occupancy.count } }
  }

  private func canBeBatched(_ operation: GraphQLOperation) -> Bool {
    batching.kinds.contains(operation.kind) && operation.kind != .subscription
      && batching.maximumCount > 1 && !operation.isCacheOnly
      && !operation.needsOwnRequest(configuration)
  }
}

extension Exchange where Self == BatchFetchExchange {
  /// Sends operations that start together in one request; see ``BatchFetchExchange``. Place it
  /// last.
  public static func batchFetch(
    _ url: URL, _ configuration: FetchConfiguration = FetchConfiguration(),
    batching: BatchConfiguration = BatchConfiguration()
  ) -> BatchFetchExchange {
    BatchFetchExchange(url, configuration: configuration, batching: batching)
  }

  /// Sends operations that start together in one request by another transport, such as `.curl` of the
  /// product `WeirCurl`; see ``BatchFetchExchange``. Place it last.
  public static func batchFetch(
    _ url: URL, transport: some HTTPTransport, batching: BatchConfiguration = BatchConfiguration()
  ) -> BatchFetchExchange {
    var configuration = FetchConfiguration()
    configuration.transport = transport
    return BatchFetchExchange(url, configuration: configuration, batching: batching)
  }
}

// MARK: - Collecting

extension BatchFetchExchange {
  /// Whether operations that differ in a header field need requests of their own.
  private static func distinguishes(_ field: HTTPHeaders.Field, _ rules: HeaderRules) -> Bool {
    let name = field.name.lowercased()
    return !rules.isNeutral(name) || rules.isCredential(name) || name == "cache-control"
      || name.contains("idempotency")
  }

  /// Adds an operation to an open batch, or to a new one.
  fileprivate func join(
    _ operation: GraphQLOperation, _ buffer: ResultBuffer, isolation: isolated (any Actor)?
  ) async throws -> Batch {
    var operation = operation
    let headers = try await fetch.sender.headers(of: operation)
    operation.context.headers = headers
    let key = Batch.Key(
      url: operation.context.endpoint ?? fetch.sender.url,
      headers: headers.filter { Self.distinguishes($0, operation.context.headerRules) },
      kind: operation.kind, session: operation.context.session)
    let member = Batch.Member(operation: operation, buffer: buffer)
    let limit = batching.maximumCount
    let (batch, isNew, isFull) = collecting.withLock { collecting in
      if let batch = collecting[key] {
        let (hasJoined, isFull) = batch.join(member, limit: limit)
        if hasJoined { return (batch, false, isFull) }
      }
      let batch = Batch(key)
      _ = batch.join(member, limit: limit)
      collecting[key] = batch
      return (batch, true, false)
    }
    if isNew {
      batch.setWindow(
        batching.window.isTurn
          // In the caller's isolation, so that the operations that start there in this turn come first.
          ? Task { [batching] in
            _ = isolation
            await batching.window.pass(batch)
            self.dispatch(batch)
          }
          // Not there: the caller may be busy when the time is over, and others wait, too.
          : Task { [batching] in
            await batching.window.pass(batch)
            self.dispatch(batch)
          })
    } else if isFull {
      dispatch(batch)
    }
    return batch
  }

  /// Sends a batch, unless it was sent before.
  private func dispatch(_ batch: Batch) {
    collecting.withLock { collecting in
      if collecting[batch.key] === batch { collecting[batch.key] = nil }
    }
    guard let members = batch.close(), !members.isEmpty else { return }
    batch.setRequest(
      Task { [self] in
        await send(members, of: batch.key)
        batch.end()
      })
  }
}

// MARK: - Sending

extension BatchFetchExchange {
  @concurrent
  private func send(_ members: [Batch.Member], of key: Batch.Key) async {
    if members.count == 1 {
      for await result in fetchAlone.execute(members[0].operation, forward: Forward([])) {
        members[0].buffer.append(result)
      }
      return
    }
    var sent: [Batch.Member] = []
    var bodies: [[UInt8]] = []
    for member in members {
      do {
        bodies.append(try GraphQLRequest(member.operation).body)
        sent.append(member)
      } catch {
        member.buffer.append(OperationResult(error: error))
      }
    }
    guard !sent.isEmpty else { return }
    var request = HTTPRequest(
      url: key.url, headers: ["accept": "application/json", "content-type": "application/json"],
      body: Array("[".utf8) + bodies.joined(separator: ",".utf8) + Array("]".utf8),
      timeout: configuration.timeout, responseBodyLimit: configuration.responseLimit,
      isIdempotent: sent.allSatisfy(\.operation.mayBeSentTwice))
    request.headers.merge(sent[0].operation.context.headers)
    let results = await results(of: request, for: sent.map(\.operation))
    for (member, result) in zip(sent, results) { member.buffer.append(result) }
  }

  private func results(
    of request: HTTPRequest, for operations: [GraphQLOperation]
  ) async -> [OperationResult] {
    let start = ContinuousClock.now
    var status: Int?
    do {
      let response = try await configuration.transport.send(request)
      status = response.status
      configuration.onResponse?(operations, response.status, response.headers)
      let body = try await response.body.collect(upTo: configuration.responseLimit)
      return OperationResult.batch(
        of: operations.count, response, body: body, timing: response.timing(since: start))
    } catch {
      let error = OperationError(transport: HTTPTransportError(error), status: status)
      return Array(repeating: OperationResult(error: error), count: operations.count)
    }
  }
}

/// One operation of a batch. Releasing it removes the operation.
private final class BatchSource: ResultSource {
  private enum Phase {
    case unsent(GraphQLOperation)
    case joined(Batch)
    case failed(OperationResult)
    case ended
  }

  private let exchange: BatchFetchExchange
  private let buffer = ResultBuffer()
  private var phase: Phase

  init(_ exchange: BatchFetchExchange, _ operation: GraphQLOperation) {
    self.exchange = exchange
    phase = .unsent(operation)
  }

  deinit {
    if case .joined(let batch) = phase { batch.leave(buffer) }
  }

  override func step() -> ResultStream.Iterator.Step {
    switch phase {
    case .unsent: return .waiting(for: .source(self))
    case .joined(let batch):
      let step = buffer.step()
      if case .done(nil) = step {
        batch.leave(buffer)
        phase = .ended
      }
      return step
    case .failed(let result):
      phase = .ended
      return .done(result)
    case .ended: return .done(nil)
    }
  }

  /// Joins a batch.
  override func wait() async {
    guard case .unsent(let operation) = phase else { return }
    phase = .ended
    do {
      phase = .joined(try await exchange.join(operation, buffer, isolation: #isolation))
    } catch {
      if Task.isCancelled { return }
      let lost = (error as? HTTPTransportError).map { OperationError(transport: $0) }
      phase = .failed(OperationResult(error: lost ?? OperationError(exchangeFailure: error)))
    }
  }
}
