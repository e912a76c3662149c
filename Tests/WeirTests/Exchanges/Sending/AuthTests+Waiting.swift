import Foundation
import TestSupport
import Testing
@testable import Weir
import WeirTesting

extension AuthTests {
  // MARK: - Operations that wait for credentials

  /// Loads new credentials when a gate opens, and calls `attached` each time that an operation gets them.
  private func configuration(
    loadingAfter loaded: Gate, attached: @escaping @Sendable () -> Void = {}
  ) -> AuthConfiguration<String> {
    var configuration = configuration(load: {
      await loaded.pass()
      return "new"
    }) { $0 }
    configuration.attach = { token, context in
      context.headers["authorization"] = token
      attached()
    }
    return configuration
  }

  @Test("After a refresh, requests leave in the order in which the operations queued (A1)")
  func order() async {
    let loaded = Gate()
    let server = TokenServer()
    let attached = Counter()
    let slow = configuration(loadingAfter: loaded) {
      // The first ones are slow, so that an operation that did not wait would overtake them.
      guard attached.next() < 8 else { return }
      let start = ContinuousClock.now
      while ContinuousClock.now - start < .milliseconds(1) {}
    }
    let auth = AuthExchange(slow)
    let client = GraphQLClient([auth, server.scripted])
    let operations = (1...24).map { postQuery("\($0)") }
    var tasks: [Task<OperationResult, Never>] = []
    for operation in operations { tasks.append(await queued(operation, client, auth)) }
    loaded.open()
    for task in tasks { #expect(await task.value.fate == "fresh") }
    #expect(server.scripted.operations.map(\.variables) == operations.map(\.variables))
  }

  @Test("A new operation that arrives while others are released is sent after them (A1)")
  func newcomer() async {
    let loaded = Gate()
    let server = TokenServer()
    let attached = Counter()
    let holder = Locked<GraphQLClient?>(nil)
    let newcomer = Locked<Task<Void, Never>?>(nil)
    let slow = configuration(loadingAfter: loaded) {
      guard attached.next() == 1, let client = holder.withLock({ $0 }) else { return }
      let task = Task.startingHere { _ = await client.query(postQuery("newcomer")) }
      newcomer.withLock { $0 = task }
    }
    let auth = AuthExchange(slow)
    let client = GraphQLClient([auth, server.scripted])
    holder.withLock { $0 = client }
    let waiting = [
      await queued(postQuery("1"), client, auth), await queued(postQuery("2"), client, auth),
    ]
    loaded.open()
    for task in waiting { #expect(await task.value.fate == "fresh") }
    await newcomer.withLock { $0 }?.value
    #expect(
      server.scripted.operations.map(\.variables)
        == [postQuery("1"), postQuery("2"), postQuery("newcomer")].map(\.variables))
    holder.withLock { $0 = nil }
  }

  @Test("Newer credentials while operations are released leave them in order (A1)")
  func update() async {
    let loaded = Gate()
    let server = TokenServer()
    let attached = Counter()
    let holder = Locked<AuthExchange<String>?>(nil)
    let slow = configuration(loadingAfter: loaded) {
      guard attached.next() == 1, let auth = holder.withLock({ $0 }) else { return }
      auth.update("new")
      // The second operation, if it were admitted now, would be sent meanwhile.
      let start = ContinuousClock.now
      while ContinuousClock.now - start < .milliseconds(20) {}
    }
    let auth = AuthExchange(slow)
    holder.withLock { $0 = auth }
    let client = GraphQLClient([auth, server.scripted])
    let operations = (1...8).map { postQuery("\($0)") }
    var tasks: [Task<OperationResult, Never>] = []
    for operation in operations { tasks.append(await queued(operation, client, auth)) }
    loaded.open()
    for task in tasks { #expect(await task.value.fate == "fresh") }
    #expect(server.scripted.operations.map(\.variables) == operations.map(\.variables))
    holder.withLock { $0 = nil }
  }

  @Test(
    "Operations that have waited for credentials keep their order in a limit of one (A1, A3)",
    .enabled(if: ProcessInfo.processInfo.environment["WEIR_DEFERRED_TASKS"] == nil))
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  func limit() async {
    for _ in 0..<50 {
      let loaded = Gate()
      let server = TokenServer()
      let auth = AuthExchange(configuration(loadingAfter: loaded))
      let limit = ConcurrencyLimitExchange(1)
      let client = GraphQLClient([auth, limit, server.scripted])
      let operations = (1...16).map { postQuery("\($0)") }
      var tasks: [Task<OperationResult, Never>] = []
      for (number, operation) in operations.enumerated() {
        let task = Task(priority: number.isMultiple(of: 2) ? .background : .high) {
          await client.query(operation)
        }
        await eventually { auth.waitingCount == number + 1 }
        tasks.append(task)
      }
      loaded.open()
      for task in tasks { #expect(await task.value.fate == "fresh") }
      #expect(server.scripted.operations.map(\.variables) == operations.map(\.variables))
    }
  }

  @Test("If the next operation in line is leaving, its turn goes to the one after it (A1)")
  @MainActor
  func turnOfOneThatLeaves() async {
    let auth = AuthExchange(
      configuration(load: {
        await Gate().pass()
        return nil
      }) { $0 })
    let client = GraphQLClient([auth, TokenServer().scripted])
    let tasks = (1...2).map { id in
      Task { @MainActor in await client.query(postQuery("\(id)")).fate }
    }
    await eventually { auth.waitingCount >= 2 }
    // The cancelled operation cannot run before the credentials arrive.
    tasks[0].cancel()
    auth.update("new")
    #expect(await tasks[0].value == "cancelled")
    #expect(await tasks[1].value == "fresh")
  }

  @Test("Cancelling a waiting operation leaves the others and the refresh alone (A1)")
  func cancelledWaiter() async {
    let refreshed = Gate()
    let server = TokenServer()
    let refreshes = Counter()
    let auth = AuthExchange(
      configuration { _ in
        _ = refreshes.next()
        await refreshed.pass()
        return "new"
      })
    let client = GraphQLClient([auth, server.scripted])
    let tasks = [
      await queued(postQuery("1"), client, auth), await queued(postQuery("2"), client, auth),
      await queued(postQuery("3"), client, auth),
    ]
    tasks[0].cancel()
    tasks[1].cancel()
    #expect(await tasks[0].value.fate == "cancelled")
    #expect(await tasks[1].value.fate == "cancelled")
    // Cancelled operations are not kept. The third one may not have been rejected yet.
    await eventually { auth.waitingCount == 1 }
    refreshed.open()
    #expect(await tasks[2].value.fate == "fresh")
    #expect(refreshes.count == 1)
    #expect(server.tokens.filter { $0 == "new" }.count == 1)
  }
}
