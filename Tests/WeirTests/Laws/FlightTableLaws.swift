import TestSupport
import Testing
@testable import Weir
import WeirTesting

@Suite("Laws of the table of shared requests", .timeLimit(.minutes(10)))
struct FlightTableLaws {
  @Test(
    "Executions share a request exactly when they may, and nothing is left at the end",
    arguments: Stress.seeds(6))
  func flights(seed: UInt64) {
    var model = FlightModel(seed: seed)
    for _ in 0..<Stress.rounds(debug: 1_000, release: 10_000) {
      model.step()
      model.checkInvariants()
    }
    model.finish()
  }

  @Test("A session switch empties the table, ends all executions, and refuses older ones")
  func sessions() {
    var table = FlightTable()
    for id in 0..<3 { for _ in 0..<2 { _ = table.join(postQuery("\(id)")) } }
    table.lastFence = .next()
    _ = table.join(postQuery("0"))
    #expect(table.count == 4 && table.shareCount == 7)
    let cancelled = table.switched(to: Session(number: 1)).cancelled
    #expect(cancelled.reduce(0) { $0 + $1.buffers.count } == 4 && table.count == 0)
    #expect(table.join(postQuery()).share == nil)
    #expect(table.switched(to: Session(number: 1)).cancelled.isEmpty)
  }
}

/// A table of shared requests, and the executions and requests that there should be.
private struct FlightModel {
  private struct Execution {
    let share: Flight.Share
    let operation: GraphQLOperation
    let started: LogicalInstant
  }

  private let seed: UInt64
  private var random: SeededRandom
  private var table = FlightTable()
  private var running: [ObjectIdentifier: (flight: Flight, since: LogicalInstant)] = [:]
  /// Kept, so that no other flight gets the same identifier.
  private var ended: [ObjectIdentifier: Flight] = [:]
  private var executions: [Execution] = []

  init(seed: UInt64) {
    self.seed = seed
    random = SeededRandom(seed: seed)
  }

  mutating func step() {
    switch Int.random(in: 0..<10, using: &random) {
    case 0, 1, 2, 3: begin()
    case 4, 5: leave()
    case 6: deliver()
    case 7, 8: end()
    default: table.lastFence = .next()
    }
  }

  func checkInvariants() {
    #expect(running.count <= 3, "seed \(seed): two requests of a key at the same time")
    let flights = Set(executions.map { ObjectIdentifier($0.share.flight) })
    #expect(table.count == flights.count, "seed \(seed)")
    #expect(table.shareCount == executions.count, "seed \(seed)")
    #expect(flights.subtracting(running.keys).count <= 3, "seed \(seed): two follow-ups of a key")
  }

  /// All consumers leave.
  mutating func finish() {
    for execution in executions { carryOut(table.leave(execution.share)) }
    #expect(table.count == 0 && table.shareCount == 0, "seed \(seed)")
  }

  /// An execution of one of a few keys begins.
  private mutating func begin() {
    let policy: RequestPolicy = random.chance(50) ? .cacheFirst : .networkOnly
    var operation = postQuery("\(Int.random(in: 0..<3, using: &random))", policy: policy)
    if random.chance(30) { operation.context.notBefore = .next() }
    let started = LogicalInstant.next()
    let fence = table.lastFence
    let joined = table.join(operation)
    carryOut(joined.actions)
    let share =
      joined.share ?? joined.actions.launched.flatMap { table.addShareOfStarter(to: $0) }
    guard let share else {
      Issue.record("seed \(seed): no share")
      return
    }
    if let sentAt = running[ObjectIdentifier(share.flight)]?.since, sentAt < started {
      #expect(sentAt >= operation.context.notBefore && sentAt > fence, "seed \(seed): too old")
    }
    executions.append(Execution(share: share, operation: operation, started: started))
  }

  /// A consumer leaves.
  private mutating func leave() {
    guard let index = executions.indices.randomElement(using: &random) else { return }
    let execution = executions.remove(at: index)
    let flight = execution.share.flight
    let isLast = !executions.contains { $0.share.flight === flight }
    let wasRunning = running[ObjectIdentifier(flight)] != nil
    let actions = table.leave(execution.share)
    let cancels = actions.ended?.flight === flight
    if wasRunning { #expect(cancels == isLast, "seed \(seed): cancelled too early or late") }
    if isLast { noteEnd(of: flight) }
    carryOut(actions)
  }

  /// A request brings a result.
  private mutating func deliver() {
    guard let flight = anyRunning() else { return }
    let result = post("\(LogicalInstant.next().ticks)")
    let buffers = table.deliver(result, to: flight).buffers.compactMap(\.self)
    for buffer in buffers { buffer.append(result) }
    let waiting = executions.count { $0.share.flight === flight }
    #expect(buffers.count == waiting, "seed \(seed): \(waiting) consumers")
  }

  /// A request ends.
  private mutating func end() {
    guard let flight = anyRunning() else { return }
    noteEnd(of: flight)
    let actions = table.end(flight)
    actions.ended?.finish()
    executions.removeAll { $0.share.flight === flight }
    carryOut(actions)
    #expect(table.end(flight).ended == nil)
    #expect(table.deliver(post("late"), to: flight).buffers.isEmpty)
  }

  private mutating func carryOut(_ actions: FlightTable.Actions) {
    guard let flight = actions.launched else { return }
    let id = ObjectIdentifier(flight)
    #expect(running[id] == nil && ended[id] == nil, "seed \(seed): started twice")
    #expect(flight.operationInFlight.context.sharedRequest === flight)
    running[id] = (flight, .next())
  }

  private mutating func noteEnd(of flight: Flight) {
    running[ObjectIdentifier(flight)] = nil
    ended[ObjectIdentifier(flight)] = flight
  }

  private mutating func anyRunning() -> Flight? {
    running.values.sorted { $0.since < $1.since }.randomElement(using: &random)?.flight
  }
}

extension FlightTable {
  fileprivate mutating func join(
    _ operation: GraphQLOperation
  ) -> (share: Flight.Share?, actions: Actions) {
    join(operation, hasImmediateResults: false)
  }
}
