import Weir
import WeirNormalized
import WeirTesting

/// A client with a server whose responses and their time are decided by the test.
final class HeldServer: Sendable {
  fileprivate struct Request {
    let gate = Gate()
    let arrival = Gate()
    var data: JSONValue?
    /// A field of the root that has failed.
    var failure: String?
  }

  private struct State {
    var counts: [String: Int] = [:]
    var requests: [String: Request] = [:]
  }

  private let state: Locked<State>
  let client: GraphQLClient

  /// With `sharesRequests`, an execution joins the same query in flight, or waits until it is over.
  init(_ store: NormalizedStore, sharesRequests: Bool = true) {
    let state = Locked(State())
    self.state = state
    let server = ScriptedExchange { operation in
      let name = operation.name ?? ""
      let (key, request) = state.withLock { state in
        state.counts[name, default: 0] += 1
        let key = "\(name) \(state.counts[name, default: 0])"
        return (key, state.requests.request(key))
      }
      request.arrival.open()
      await request.gate.pass()
      let answer = state.withLock { $0.requests[key] }
      return OperationResult(
        data: answer?.data.flatMap { try? JSON($0) },
        error: answer?.failure.map {
          OperationError(graphQLErrors: [GraphQLError(message: "No.", path: [.key($0)])])
        })
    }
    client = GraphQLClient(
      sharesRequests ? [.dedup, .cache(store), server] : [.cache(store), server])
  }

  /// Answers the request with this number among those of its operation, now or when it arrives.
  func answer(
    _ name: String, _ number: Int, with data: JSONValue?, failing failure: String? = nil
  ) {
    let gate = state.withLock { state in
      let request = state.requests.request("\(name) \(number)")
      state.requests["\(name) \(number)"]?.data = data
      state.requests["\(name) \(number)"]?.failure = failure
      return request.gate
    }
    gate.open()
  }

  /// How many requests of an operation have arrived.
  func count(of name: String) -> Int { state.withLock { $0.counts[name, default: 0] } }

  func received(_ name: String, _ number: Int) async {
    await state.withLock { $0.requests.request("\(name) \(number)") }.arrival.pass()
  }
}

extension [String: HeldServer.Request] {
  fileprivate mutating func request(_ key: String) -> HeldServer.Request {
    let request = self[key] ?? HeldServer.Request()
    self[key] = request
    return request
  }
}
