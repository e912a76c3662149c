import Testing
import Weir
import WeirTesting

@Suite("Sequences that ignore cancellation", .timeLimit(.minutes(10)))
struct StubbornSequenceTests {
  /// A sequence whose elements arrive even if the task is cancelled: the first one at once, the
  /// others when the gate is open. It ends after a thousand elements.
  private struct Stubborn<Element: Sendable>: AsyncSequence, Sendable {
    typealias Failure = Never

    let element: Element
    let gate = Gate()
    let calls = Counter()
    let isReleased = Gate()

    func makeAsyncIterator() -> Iterator { Iterator(self) }

    final class Iterator: AsyncIteratorProtocol {
      private let sequence: Stubborn

      init(_ sequence: Stubborn) { self.sequence = sequence }

      deinit { sequence.isReleased.open() }

      func next() async -> Element? {
        let number = sequence.calls.next()
        if number > 1 { await Task { [gate = sequence.gate] in await gate.pass() }.value }
        return number > 1000 ? nil : sequence.element
      }
    }
  }

  enum Place { case dedup, deadline, body }

  @Test(
    "A sequence that ignores its cancellation is not read after the consumer has left (D2)",
    arguments: [Place.dedup, .deadline, .body])
  func results(place: Place) async {
    var part = post("part")
    part.hasNext = true
    let parts = Stubborn(element: part)
    let source = InlineExchange { _, _ in ResultStream(parts) }
    let body = InlineExchange { operation, forward in
      ResultStream { yield in await yield.all(forward(operation)) }
    }
    let chain: [any Exchange] =
      switch place {
      case .dedup: [.dedup, source]
      case .deadline: [source]
      case .body: [body, source]
      }
    let client = GraphQLClient(chain, clock: ManualClock())
    let query = postQuery().with { $0.totalTimeout = place == .deadline ? .seconds(1) : nil }
    for await result in client.results(of: query) {
      #expect(result.summary == "part more")
      break
    }
    parts.gate.open()
    await parts.isReleased.pass()
    #expect(parts.calls.count <= 2)
  }

  @Test("A released refresh exchange reads no more events, even if they ignore cancellation (A3)")
  func events() async {
    let events = Stubborn(element: ())
    var client: GraphQLClient? = GraphQLClient([RefreshExchange(on: events), postServer()])
    _ = await client?.query(postQuery())
    client = nil
    events.gate.open()
    await events.isReleased.pass()
    #expect(events.calls.count <= 2)
  }
}
