import Weir

@testable import WeirTesting

/// A server whose subscriptions the test feeds, by their number from 0.
final class EventServer: SubscriptionTransport {
  /// Counts a subscription as ended when nothing keeps it.
  private final class Ending: Sendable {
    private let ended: ArrivalCount
    init(_ ended: ArrivalCount) { self.ended = ended }
    deinit { ended.add(1) }
  }

  private let feeds = Locked<[Mailbox<Result<JSON?, any Error>>]>([])
  private let ended = ArrivalCount()
  /// The answers that each new subscription begins with.
  private let beginning: [Result<JSON?, any Error>]

  init(beginning: [Result<JSON?, any Error>] = []) {
    self.beginning = beginning
  }

  static func event(_ number: Int) -> Result<JSON?, any Error> {
    Result { try JSON(parsing: #"{"data":{"counter":\#(number)}}"#) }
  }

  /// The number of subscriptions that were opened.
  var count: Int { feeds.withLock { $0.count } }

  func subscribe(to operation: GraphQLOperation) async throws -> SubscriptionEvents {
    let feed = Mailbox<Result<JSON?, any Error>>()
    for answer in beginning { feed.append(answer) }
    feeds.withLock { $0.append(feed) }
    let ending = Ending(ended)
    return SubscriptionEvents {
      defer { withExtendedLifetime(ending) {} }
      return try await feed.next().get()
    }
  }

  func send(_ number: Int, to index: Int = 0) { answer(Self.event(number), index) }

  func complete(_ index: Int = 0) { answer(.success(nil), index) }

  func fail(_ error: any Error, _ index: Int = 0) { answer(.failure(error), index) }

  private func answer(_ answer: Result<JSON?, any Error>, _ index: Int) {
    feeds.withLock { $0[index] }.append(answer)
  }

  /// Waits until this many subscriptions have ended.
  func hasEnded(_ count: Int) async { await ended.reaches(count) }
}

extension Consumer {
  /// Starts a loop, and returns when its subscription is open.
  static func joining(
    _ client: GraphQLClient, _ operation: GraphQLOperation, gate: Gate = Gate(isOpen: true)
  ) async -> Consumer {
    let opened = Gate()
    let noting = operation.with { $0.onConnectionChange { _ in opened.open() } }
    let consumer = Consumer(client.subscribe(noting), gate: gate)
    await opened.pass()
    return consumer
  }
}
