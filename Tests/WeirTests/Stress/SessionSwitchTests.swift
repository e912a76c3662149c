import Foundation
import TestSupport
import Testing
import Weir
import WeirTesting

@Suite("Sessions: races with a switch", .timeLimit(.minutes(10)))
struct SessionSwitchTests {
  /// Runs a closure in the middle of a switch: after dedup and the cache, before the client.
  private final class Interloper: StatefulExchange {
    private let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
      forward(operation)
    }
    func invalidate(_ invalidation: Invalidation) {}
    func switchSession(to session: Session) { body() }
  }

  @Test("A watch that wakes in the middle of a switch lives on and shows no error (C10)")
  func watchLivesOn() async {
    await watched("watch across a switch") {
      let seen = Board<[String]>([])
      let requests = Board(0)
      let isSwitching = Board(false)
      let server = ScriptedExchange.immediate { _ in
        let number = requests.update {
          $0 += 1; return $0
        }
        #expect(!isSwitching.value)
        return post("title \(number)")
      }
      // Nothing reports that the watch waits for the end of the switch, so this gives it time to do
      // harm.
      let interloper = Interloper {
        isSwitching.update { $0 = true }
        for _ in 0..<1_000 { sched_yield() }
        isSwitching.update { $0 = false }
      }
      let client = GraphQLClient([.dedup, .documentCache, interloper, server])
      let watch = Task {
        for await result in client.watch(postQuery()) {
          seen.update { $0.append(result.summary) }
        }
        seen.update { $0.append("ended") }
      }
      await seen.until { $0.count == 1 }
      Thread { client.switchSession() }.start()
      await seen.until { $0.count == 3 }
      #expect(seen.value == ["title 1", "stale", "title 2"])
      client.invalidate(types: "Post")
      await seen.until { $0.contains { $0.hasPrefix("title 3") || $0 == "ended" } }
      #expect(!seen.value.contains { $0.contains("error") || $0 == "ended" }, "\(seen.value)")
      watch.cancel()
    }
  }

  /// Runs the jobs of its tasks on the test's command.
  private final class HeldExecutor: TaskExecutor {
    private let jobs = Board<[UnownedJob]>([])

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      jobs.update { $0.append(job) }
    }

    /// Waits until there is a job.
    func hasJob() async { await jobs.until { !$0.isEmpty } }

    /// Runs the waiting jobs and those that they create.
    func run() {
      while let job = jobs.update({ $0.popLast() }) {
        job.runSynchronously(on: asUnownedTaskExecutor())
      }
    }
  }

  @Test("An unread mutation result of the old user is not delivered (C10)")
  func unreadMutation() async {
    await watched("mutation across a switch") {
      let gate = Gate()
      let client = GraphQLClient([.dedup, .documentCache, postServer { _ in await gate.pass() }])
      let executor = HeldExecutor()
      let mutation = Task(executorPreference: executor) { await client.mutate(updatePost) }
      await executor.hasJob()
      executor.run()
      // The caller waits, and then the response wakes it.
      gate.open()
      await executor.hasJob()
      client.switchSession()
      executor.run()
      #expect(await mutation.value.error?.code == .cancelled)
    }
  }

  /// Notes operations of sessions that it has not been told of.
  private final class Witness: StatefulExchange {
    private struct Seen {
      var told = Session(number: 0)
      var untold = 0
      var count = 0
    }
    private let seen = Locked(Seen())

    func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
      seen.withLock { seen in
        seen.count += 1
        if operation.context.session > seen.told { seen.untold += 1 }
      }
      return forward(operation)
    }
    func invalidate(_ invalidation: Invalidation) {}
    func switchSession(to session: Session) { seen.withLock { $0.told = max($0.told, session) } }

    var untold: Int { seen.withLock { $0.untold } }
    var count: Int { seen.withLock { $0.count } }
  }

  @Test("No exchange meets a session that it has not been told of (S1)")
  func toldFirst() async {
    await watched("watches across switches") {
      let witnesses = (0..<3).map { _ in Witness() }
      let client = GraphQLClient([
        witnesses[0], .dedup, .documentCache, witnesses[1], postServer(), witnesses[2],
      ])
      let watches = (0..<20).map { number in
        Task { for await _ in client.watch(postQuery("\(number % 5)")) {} }
      }
      for _ in 0..<Stress.rounds(debug: 50, release: 500) {
        await Task.yield()
        client.switchSession()
      }
      for watch in watches { watch.cancel() }
      for watch in watches { await watch.value }
      #expect(witnesses.map(\.untold) == [0, 0, 0])
      #expect(witnesses[1].count > 0)
    }
  }

  @Test("What the app stores of the user changes between the two sessions (S1)")
  func update() async {
    let steps = Board<[String]>([])
    let cache = DocumentCacheExchange()
    let client = GraphQLClient([
      cache, Interloper { steps.update { $0.append("told") } }, postServer(),
    ])
    _ = await client.query(postQuery())
    let old = client.session
    client.switchSession {
      steps.update { $0.append("updated") }
      #expect(client.session == old)
      #expect(client.peek(postQuery()) == nil)
      #expect(cache.statistics.entryCount == 0)
    }
    #expect(steps.value == ["told", "updated"])
    #expect(client.session > old)
  }

  @Test(
    "A watch hides the old user's data at once, however slow its request is (S2)",
    arguments: [true, false])
  func hidesAtOnce(sharesRequests: Bool) async {
    await watched("watch with a slow request") {
      let client = GraphQLClient(
        (sharesRequests ? [.dedup] : []) + [
          .documentCache,
          postServer { operation in
            // Refetches and the requests of the new session are never answered.
            if operation.context.requestPolicy != .cacheFirst { return }
            await Gate().pass()
          },
        ])
      _ = await client.query(postQuery(policy: .networkOnly))
      // Shows the stale hit, while its request is in flight.
      let slow = postQuery(policy: .cacheFirst)
      let watcher = Watcher(client.watch(slow))
      #expect(await watcher.next(1) == ["title 1"])
      client.invalidate(types: "Post")
      #expect(await watcher.next(1) == ["title 1 stale"])
      client.switchSession()
      #expect(await watcher.next(1) == ["stale"])
      client.switchSession()
      watcher.cancel()
    }
  }

  @Test("A debug exchange does not keep a watch from hiding the old user's data (S2)")
  func hidesBehindDebug() async {
    await watched("watch below a debug exchange") {
      let refresh = RefreshSource()
      let counter = Counter()
      let endings = Locked<[DebugExchange.Event.Ending]>([])
      let client = GraphQLClient([
        .debug("app") { event in
          if case .end(let ending) = event.kind { endings.withLock { $0.append(ending) } }
        },
        InlineExchange { _, _ in
          let signal = refresh.signal
          return ResultStream { yield in
            // Only the first request is answered.
            if counter.next() > 1 { await Gate().pass() }
            yield(post("old").refreshed(by: signal))
          }
        },
      ])
      let watcher = Watcher(client.watch(postQuery()))
      #expect(await watcher.next(1) == ["old"])
      refresh.fire()
      #expect(await watcher.next(1) == ["old stale"])
      client.switchSession()
      #expect(await watcher.next(1) == ["stale"])
      #expect(endings.withLock { $0 } == [.finished, .cancelled])
      watcher.cancel()
    }
  }

  @Test("The results of an execution end with the error of the session's end (C10)")
  func partsOfOldSession() async {
    let gate = Gate()
    let parts = ScriptedExchange(streaming: { _ in
      ResultStream { yield in
        var part = post("part")
        part.hasNext = true
        await yield.inTurn(part)
        await gate.pass()
        for _ in 0..<3 { await yield.inTurn(part) }
      }
    })
    let client = GraphQLClient([parts])
    var results = client.results(of: postQuery()).makeAsyncIterator()
    #expect(await results.next()?.summary == "part more")
    client.switchSession()
    gate.open()
    #expect(await results.next()?.error == .cancelled)
    #expect(await results.next() == nil)
    #expect(await results.next() == nil)
  }

  @Test("When two switches overlap, the later one wins (C10)")
  func switchesAtTheSameTime() async {
    await watched("two switches") {
      let client = Locked<GraphQLClient?>(nil)
      let isFirst = Locked(true)
      let interloper = Interloper {
        if isFirst.withLock({ first in
          defer { first = false }; return first
        }) {
          client.withLock { $0 }?.switchSession()
        }
      }
      let made = GraphQLClient([.dedup, .documentCache, interloper, postServer()])
      client.withLock { $0 = made }
      made.switchSession()
      #expect(await made.query(postQuery()).summary == "title 1")
      #expect(await made.query(postQuery()).summary == "title 1")
      client.withLock { $0 = nil }
    }
  }

  @Test("Unread events of the old user are not delivered (C10)")
  func bufferedEvents() async {
    await watched("subscription across a switch") {
      let sent = Gate()
      let server = ScriptedExchange(streaming: { _ in
        ResultStream { yield in
          yield(post("event 1"))
          yield(post("event 2"))
          sent.open()
          await Gate().pass()
        }
      })
      let client = GraphQLClient([.dedup, .documentCache, server])
      let events = client.subscribe(GraphQLOperation("subscription S { post { id title } }"))
      var iterator = events.makeAsyncIterator()
      #expect(await iterator.next()?.summary == "event 1")
      await sent.pass()
      client.switchSession()
      var rest: [String] = []
      while let event = await iterator.next() {
        rest.append(event.error?.code.description ?? "data")
      }
      #expect(rest == ["cancelled"])
    }
  }
}
