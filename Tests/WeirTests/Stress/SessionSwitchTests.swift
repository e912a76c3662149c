import Foundation
import Testing
import Weir
import WeirTesting

@Suite("Sessions: races with a switch")
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
      let wake = DispatchSemaphore(value: 0)
      let server = ScriptedExchange.immediate { _ in
        let number = requests.update {
          $0 += 1; return $0
        }
        if number == 2 { wake.signal() }
        return post("title \(number)")
      }
      // The switch continues once the watch has done something. It also continues after a while,
      // for a client that wakes its watches only after the switch.
      let interloper = Interloper { _ = wake.wait(timeout: .now() + 2) }
      let client = GraphQLClient([.dedup, .documentCache, interloper, server])
      let watch = Task {
        for await result in client.watch(postQuery()) {
          seen.update { $0.append(result.summary) }
          if seen.value.count == 2 { wake.signal() }
        }
        seen.update { $0.append("ended") }
      }
      await seen.until { $0.count == 1 }
      Thread { client.switchSession() }.start()
      await seen.until { $0.count == 2 }
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
      while let event = await iterator.next() { #expect(event.error?.code == .cancelled) }
    }
  }
}
