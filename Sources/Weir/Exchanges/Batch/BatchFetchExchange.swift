public import Foundation

/// Sends operations by HTTP, those that start together in one request: a JSON array of what each
/// would send alone. It stands at the end of the chain, in place of ``FetchExchange``:
///
/// ```swift
/// var batching = BatchConfiguration()
/// batching.window = .duration(.milliseconds(10))
/// let client = GraphQLClient([
///   .dedup, .documentCache, .batchFetch(url, batching: batching),
/// ])
/// async let feed = client.query(feedQuery)
/// async let user = client.query(userQuery)   // one request, if the server takes batches
/// ```
///
/// The server has to be one that takes batches; one that does not answers with an error, which all
/// operations of the batch get. Operations share a request if they have endpoint, header fields and
/// kind in common. Mutations are listed in the order in which they began; whether a server runs them
/// one after the other is its own affair. Answers are told apart by their position; a list of another
/// length is an error for each (``OperationError/Code/malformedResponse``).
///
/// A lone operation is sent as ``FetchExchange`` sends it, and so are operations with files, with
/// `@defer` or `@stream`, and those that are to be sent by GET. An operation that is cancelled before
/// the request leaves is left out, one that is cancelled later ignored; when all are cancelled, so is
/// the request. A batch waits for its slowest operation: what it saves is the cost of requests.
public final class BatchFetchExchange: Exchange {
  private let url: URL
  private let configuration: FetchConfiguration
  private let batching: BatchConfiguration
  private let fetch: FetchExchange
  /// For what was to be batched and is alone: its header fields have been asked for already.
  private let fetchAlone: FetchExchange
  private let collecting = Locked<[Batch.Key: Batch]>([:])

  /// An exchange that sends to one address, unless an operation's context names another.
  ///
  /// - Parameters:
  ///   - url: where the server is; its query items are kept.
  ///   - configuration: how to send.
  ///   - batching: which operations share a request.
  public init(
    _ url: URL, configuration: FetchConfiguration = FetchConfiguration(),
    batching: BatchConfiguration = BatchConfiguration()
  ) {
    self.url = url
    self.configuration = configuration
    self.batching = batching
    fetch = FetchExchange(url, configuration: configuration)
    var alone = configuration
    alone.headers = { _ in [:] }
    fetchAlone = FetchExchange(url, configuration: alone)
  }

  /// Waits for others when the stream is iterated, then sends.
  public func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    guard canBeBatched(operation) else { return fetch.execute(operation, forward: forward) }
    return ResultStream(source: { [self] in BatchSource(self, operation) })
  }

  /// How many operations wait for others.
  package var waitingCount: Int {
    collecting.withLock { $0.values.reduce(0) { $0 + $1.occupancy.count } }
  }

  private func canBeBatched(_ operation: GraphQLOperation) -> Bool {
    let isGET =
      operation.kind == .query && operation.context.prefersGET ?? configuration.prefersGET
    return batching.kinds.contains(operation.kind) && operation.kind != .subscription
      && batching.maximumCount > 1 && !isGET && operation.uploads.isEmpty
      && !operation.prepared.asksForIncrementalDelivery
  }
}

extension Exchange where Self == BatchFetchExchange {
  /// Sends operations that start together in one request; see ``BatchFetchExchange``. Place it last.
  public static func batchFetch(
    _ url: URL, _ configuration: FetchConfiguration = FetchConfiguration(),
    batching: BatchConfiguration = BatchConfiguration()
  ) -> BatchFetchExchange {
    BatchFetchExchange(url, configuration: configuration, batching: batching)
  }
}

// MARK: - Collecting

extension BatchFetchExchange {
  /// Takes a seat in a batch that still waits, or in a new one.
  fileprivate func board(
    _ operation: GraphQLOperation, _ buffer: ResultBuffer, isolation: isolated (any Actor)?
  ) async throws -> Batch {
    var operation = operation
    var headers = try await configuration.headers(operation)
    headers.replace(with: operation.context.headers)
    operation.context.headers = headers
    let key = Batch.Key(
      url: operation.context.endpoint ?? url, headers: headers, kind: operation.kind)
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
      // In the caller's isolation, so that what this turn starts there comes first.
      batch.setWindow(
        Task { [batching] in
          _ = isolation
          await batching.window.pass(batch)
          self.dispatch(batch)
        })
    } else if isFull {
      dispatch(batch)
    }
    return batch
  }

  /// Sends a batch; the second time it is nothing.
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
    let mayBeSentTwice = sent.allSatisfy(\.operation.mayBeSentTwice)
    let results = await results(of: bodies, key, mayBeSentTwice)
    for (member, result) in zip(sent, results) { member.buffer.append(result) }
  }

  private func results(
    of bodies: [[UInt8]], _ key: Batch.Key, _ mayBeSentTwice: Bool
  ) async -> [OperationResult] {
    let start = ContinuousClock.now
    var status: Int?
    do {
      let response = try await configuration.transport.send(request(bodies, key, mayBeSentTwice))
      status = response.status
      let body = try await response.body.collect(upTo: configuration.maximumResponseBytes)
      let timing = ResultTiming(
        receivedAt: Date(), duration: ContinuousClock.now - start,
        maximumAge: CacheControl.maximumAge(response.headers))
      return OperationResult.batch(
        of: bodies.count, status: response.status, headers: response.headers, body: body,
        timing: timing)
    } catch {
      let error = OperationError(transport: HTTPTransportError(error), status: status)
      return Array(repeating: OperationResult(error: error), count: bodies.count)
    }
  }

  private func request(
    _ bodies: [[UInt8]], _ key: Batch.Key, _ mayBeSentTwice: Bool
  ) -> HTTPRequest {
    var request = HTTPRequest(
      method: .post, url: key.url,
      headers: ["accept": "application/json", "content-type": "application/json"],
      body: Array("[".utf8) + bodies.joined(separator: ",".utf8) + Array("]".utf8),
      timeout: configuration.timeout, responseBodyLimit: configuration.maximumResponseBytes,
      isIdempotent: mayBeSentTwice)
    request.headers.replace(with: key.headers)
    return request
  }
}

/// One operation's seat in a batch; leaving the iteration gives it up.
private final class BatchSource: ResultSource {
  private let exchange: BatchFetchExchange
  private let buffer = ResultBuffer()
  private var operation: GraphQLOperation?
  private var batch: Batch?

  init(_ exchange: BatchFetchExchange, _ operation: GraphQLOperation) {
    self.exchange = exchange
    self.operation = operation
  }

  deinit {
    batch?.leave(buffer)
  }

  override func next(isolation: isolated (any Actor)?) async -> OperationResult? {
    if let operation {
      self.operation = nil
      do {
        batch = try await exchange.board(operation, buffer, isolation: isolation)
      } catch {
        return Task.isCancelled
          ? nil : OperationResult(error: OperationError(exchangeFailure: error))
      }
    }
    let result = await buffer.next(isolation: isolation)
    if result == nil {
      batch?.leave(buffer)
      batch = nil
    }
    return result
  }
}
