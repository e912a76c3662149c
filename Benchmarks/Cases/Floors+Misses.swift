import Weir

/// The floors of cases whose results have to be fetched and kept.
extension Floors {
  /// The floor of a miss: making the operation with its key, parsing, finding the names of the types,
  /// decoding, and keeping the result.
  static func miss(_ count: Int) throws -> Workload {
    let bodies = (0..<count).map { Payloads.post($0) }
    return misses(count) { id, _ in parsed(bodies[id]) }
  }

  /// The floor of a miss through a transport: the request is encoded and sent in a task, which starts on
  /// the calling thread and resumes the caller with the response.
  static func fetch(_ count: Int) throws -> Workload {
    let transport = AnswerTransport.posts(count)
    return misses(count) { _, operation in
      let shared = Shared<OperationResult>()
      _ = Task.startingHere {
        let response = try? await transport.send(BareRequest.make(for: operation))
        let body = try? await response?.body.collect()
        shared.resolve(parsed(body ?? []))
      }
      guard let result = await shared.value(isolation: nil) else {
        throw WrongAnswer(description: "The floor of a fetch has no result.")
      }
      return result
    }
  }

  /// Makes each operation and keeps its result. Inlined, so that a floor pays for no closure.
  @inline(__always)
  private static func misses(
    _ count: Int, _ result: @escaping (Int, GraphQLOperation) async throws -> OperationResult
  ) -> Workload {
    let kept = BareResults()
    return Workload(
      batch: count, reset: { kept.removeAll() },
      run: { operations in
        for id in 0..<operations {
          let operation = postOperation(id)
          use(try kept.keep(await result(id, operation), for: operation.key).checksum)
        }
      })
  }

  /// The floor of a mutation that drops results: in a task, the answer is parsed, the names of its types
  /// are found, and the instant is noted for them. Before each round all results are made again and
  /// the former ones are released, as in the measured case, so the processor has nothing else at hand.
  /// Their table is a new one, unless they are kept `again`.
  static func dropping(
    _ cached: Int, by mutation: GraphQLOperation, again: Bool
  ) -> Workload {
    let answers = AnswerExchange(posts: cached)
    var kept = BareResults()
    let stopwatch = Stopwatch()
    return Workload(
      reset: {
        let new = again ? kept : BareResults()
        try new.keep(answers, to: (0..<cached).map { postOperation($0) })
        kept = new
        use([UInt8](repeating: 0, count: 1 << 16))
      },
      run: { _ in
        let start = ContinuousClock.now
        let shared = Shared<OperationResult>()
        _ = Task.startingHere { [kept] in
          let result = parsed(answers.answer(to: mutation))
          kept.drop(result)
          shared.resolve(result)
        }
        let result = await shared.value(isolation: nil)
        stopwatch.add(from: start)
        try expect(result?.data != nil, "The mutation has failed.")
      },
      stopwatch: stopwatch)
  }

  /// The floor of views whose results were dropped, among many that are not watched: each view asks the
  /// stub, parses, decodes and keeps a new result, and shows its data. Before each round all results are
  /// made again, as in the measured case.
  static func refetch(_ live: Int, of cached: Int, on place: Place) async throws -> Workload {
    let answers = AnswerExchange(posts: cached)
    let operations = (0..<cached).map { postOperation($0) }
    let kept = BareResults()
    let screen = BareScreen(live)
    let bare = BareViews(live, on: place) { index in
      let operation = operations[index]
      let data = try kept.keep(parsed(answers.answer(to: operation)), for: operation.key)
      return try screen.show(data, in: index)
    }
    let round = Counter()
    let stopwatch = Stopwatch()
    return Workload(
      reset: {
        try kept.keep(answers, to: operations)
        let title = "v\(round.next())"
        answers.rename(first: live, to: title)
        screen.awaitTitle(title)
      },
      run: { operations in
        for _ in 0..<operations {
          bare.expect(live)
          try await mutate(isolation: place.actor, stopwatch, bare) {
            let answer = try JSON(parsing: Payloads.updatedPost)
              .decode(Response<UpdatedPostData>.self)
            bare.wake(live)
            return answer.data.updatePost.title.utf8.count
          }
        }
      },
      stopwatch: stopwatch, check: { try bare.check() }, tearDown: { await bare.end() })
  }
}

/// What views show, as ``LiveViews`` keeps it.
private final class BareScreen: Sendable {
  private struct State {
    var awaited = ""
    var shown: [PostData?]
  }

  private let state: Locked<State>

  init(_ views: Int) {
    state = Locked(State(shown: Array(repeating: nil, count: views)))
  }

  func awaitTitle(_ title: String) {
    state.withLock { $0.awaited = title }
  }

  /// - Returns: the check sum of the data.
  func show(_ data: PostData, in view: Int) throws -> Int {
    let isAwaited = state.withLock { state in
      state.shown[view] = data
      return state.awaited == data.post.title
    }
    try expect(isAwaited, "The floor of a refetch shows other data.")
    return data.checksum
  }
}

/// Results by key, each with its decoded data and the names of the types in it.
private final class BareResults: Sendable {
  private struct Result {
    let result: OperationResult
    let data: PostData
    let types: Set<String>
  }

  private let table = Locked<[OperationKey: Result]>([:])
  /// When results with a type were dropped last.
  private let drops = Locked<[String: ContinuousClock.Instant]>([:])

  func removeAll() {
    table.withLock { $0 = [:] }
  }

  /// - Returns: the data.
  func keep(_ result: OperationResult, for key: OperationKey) throws -> PostData {
    guard let data = result.data else {
      throw WrongAnswer(description: "The floor of a miss has no data.")
    }
    var types: Set<String> = []
    data.withTape { tape, root in Self.collect(at: root, tape, into: &types) }
    try expect(types.count == 2, "The floor of a miss has other types.")
    let decoded = try data.decode(PostData.self)
    table.withLock { $0[key] = Result(result: result, data: decoded, types: types) }
    return decoded
  }

  /// Keeps the answers to operations.
  func keep(_ answers: AnswerExchange, to operations: [GraphQLOperation]) throws {
    for operation in operations {
      use(try keep(parsed(answers.answer(to: operation)), for: operation.key).checksum)
    }
  }

  /// Drops the results with the types of a mutation's result.
  func drop(_ result: OperationResult) {
    var types: Set<String> = []
    result.data?.withTape { tape, root in Self.collect(at: root, tape, into: &types) }
    let now = ContinuousClock.now
    drops.withLock { drops in
      for type in types { drops[type] = now }
    }
  }

  private static let typename = Array("__typename".utf8)

  private static func collect(
    at object: TapeIndex, _ tape: JSONTape, into types: inout Set<String>
  ) {
    guard tape[object].kind == .object else { return }
    let keys = tape.keyList(object)
    for (position, child) in tape.children(of: object).enumerated() {
      if typename.withUnsafeBufferPointer({ tape.matches(tape.key(keys, position), $0) }) {
        types.insert(tape.string(tape[child]))
      } else {
        collect(at: child, tape, into: &types)
      }
    }
  }
}

/// The least request of "GraphQL over HTTP".
private enum BareRequest {
  static func make(for operation: GraphQLOperation) throws -> HTTPRequest {
    var body = Array(#"{"query":"#.utf8)
    body.reserveCapacity(operation.text.utf8.count + 128)
    body.append(jsonString: operation.text)
    body += #","variables":"#.utf8
    body += operation.variables
    body.append(UInt8(ascii: "}"))
    return HTTPRequest(
      url: try AnswerTransport.url, headers: ["content-type": "application/json"], body: body)
  }
}
