import TestSupport
import Testing
@testable import Weir
import WeirTesting

@Suite("Laws of refresh signals and logical instants", .timeLimit(.minutes(10)))
struct RefreshSignalLaws {
  @Test("Logical instants grow, within each task and across tasks")
  func instants() async {
    let rounds = Stress.rounds(debug: 2_000, release: 100_000)
    let runs = await withTaskGroup(of: [LogicalInstant].self) { group in
      for _ in 0..<8 { group.addTask { (0..<rounds).map { _ in .next() } } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    for run in runs { #expect(zip(run, run.dropFirst()).allSatisfy { $0 < $1 }) }
    #expect(Set(runs.joined()).count == 8 * rounds)
    #expect(runs.joined().allSatisfy { $0 > .distantPast })
  }

  @Test("A signal is a state: it can be read after it fired, repeatedly and by many")
  func state() async {
    let source = RefreshSource()
    let signal = source.signal
    #expect(signal.firedInstant == nil)
    let instant = LogicalInstant.next()
    source.fire(at: instant)
    for _ in 0..<3 {
      #expect(await signal.fired() == instant)
      #expect(signal.firedInstant == instant)
    }
    #expect(source.signal.firedInstant == nil, "a signal made after the firing has not fired")
  }

  @Test("The latest instant wins, and an earlier one changes nothing", arguments: Stress.seeds(4))
  func latest(seed: UInt64) async {
    var random = SeededRandom(seed: seed)
    for _ in 0..<200 {
      let sources = (0..<4).map { _ in RefreshSource() }
      let since = LogicalInstant.next()
      let signals = sources.map { RefreshSignal(source: $0, since: since) }
      let merged = signals.shuffled(using: &random).reduce(signals[0]) { $0.merged(with: $1) }
      var instants = (0..<Int.random(in: 0..<8, using: &random)).map { _ in LogicalInstant.next() }
      let latest = instants.max()
      instants.shuffle(using: &random)
      for instant in instants { sources.randomElement(using: &random)?.fire(at: instant) }
      for source in sources { source.fire(at: since) }
      #expect(merged.firedInstant == latest, "seed \(seed)")
      if let latest {
        #expect(await merged.fired() == latest, "seed \(seed)")
        let already = RefreshSignal.fired(at: since)
        #expect(already.merged(with: merged).firedInstant == latest, "seed \(seed)")
        #expect(merged.merged(with: already).firedInstant == latest, "seed \(seed)")
      }
    }
  }

  @Test("No firing is lost between reading the state and waiting")
  func lostWakeUps() async {
    await watched("a waiter") {
      for _ in 0..<Stress.rounds(debug: 1_000, release: 50_000) {
        let sources = [RefreshSource(), RefreshSource()]
        let signal = sources[0].signal.merged(with: sources[1].signal)
        let waiter = Task { await signal.fired() }
        let firing = Task { sources[0].fire() }
        sources[1].fire()
        #expect(await waiter.value != nil)
        await firing.value
      }
    }
  }

  @Test("A waiter that one source wakes also sees another source that fired meanwhile")
  @MainActor func latestOfTwo() async {
    for order in [[0, 1], [1, 0]] {
      let sources = [RefreshSource(), RefreshSource()]
      let signal = sources[0].signal.merged(with: sources[1].signal)
      let waits = Gate()
      let waiter = Task { @MainActor in
        waits.open()
        return await signal.fired()
      }
      await waits.pass()
      // The waiter shares this actor, so it cannot run before both sources have fired.
      let instants = order.map { source in
        let instant = LogicalInstant.next()
        sources[source].fire(at: instant)
        return instant
      }
      #expect(await waiter.value == instants.last)
    }
  }

  @Test("A cancelled wait ends and leaves no waiter behind")
  func cancelled() async {
    await watched("a cancelled waiter") {
      let source = RefreshSource()
      weak var waiting: RefreshWaiter?
      for _ in 0..<Stress.rounds(debug: 500, release: 20_000) {
        let waiter = RefreshWaiter(source.signal)
        waiting = waiter
        let task = Task { await waiter.wait() }
        if Bool.random() { await Task.yield() }
        task.cancel()
        await task.value
      }
      await eventually { [weak waiting] in waiting == nil }
      let other = Task { await source.signal.fired() }
      other.cancel()
      #expect(await other.value == nil)
      source.fire()
    }
  }

  @Test(
    "Tasks that also wait for one end leave it in any order, and it wakes the others",
    arguments: Stress.seeds(4))
  func commonEnd(seed: UInt64) async {
    await watched("a task with an end") {
      var random = SeededRandom(seed: seed)
      for _ in 0..<Stress.rounds(debug: 20, release: 500) {
        let (end, sources) = (RefreshSource(), (0..<12).map { _ in RefreshSource() })
        let tasks = sources.map { source in
          let waiter = source.signal.makeWaiter(end: end.signal)
          return Task { await waiter.wait() }
        }
        if Bool.random(using: &random) {
          await eventually { sources.allSatisfy { $0.waiterCount == 1 } }
        }
        for index in sources.indices.shuffled(using: &random).prefix(8) {
          if Bool.random(using: &random) { sources[index].fire() } else { tasks[index].cancel() }
        }
        end.fire()
        for task in tasks { await task.value }
        #expect(sources.allSatisfy { $0.waiterCount == 0 })
      }
    }
  }

  @Test("A wait that is cancelled before its source fires returns nil")
  @MainActor
  func cancelledFirst() async {
    let source = RefreshSource()
    let waiter = Task { await source.signal.fired() }
    await eventually { source.waiterCount == 1 }
    // The waiter shares this actor, so it cannot run before the source has fired.
    waiter.cancel()
    source.fire()
    #expect(await waiter.value == nil)
  }

  @Test("Many concurrent firings wake a waiter once")
  func manyFirings() async {
    await watched("many firings") {
      for _ in 0..<Stress.rounds(debug: 100, release: 5_000) {
        let source = RefreshSource()
        let waiters = (0..<8).map { _ in
          let signal = source.signal
          return Task { await signal.fired() }
        }
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<4 { group.addTask { source.fire() } }
        }
        for waiter in waiters { #expect(await waiter.value != nil) }
      }
    }
  }
}
