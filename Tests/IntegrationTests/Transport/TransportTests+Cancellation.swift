import Testing
import Weir

extension TransportTests {
  // MARK: - Cancellation (H9)

  @Test(
    "Cancelling a task that waits for the response head closes the connection (H9)",
    arguments: Sender.allCases)
  func cancelBeforeHead(sender: Sender) async throws {
    let transport = sender.transport()
    let space = try await Space()
    let request = HTTPRequest.query("query Slow { slow(ms: 600000) }", to: space.graphQL)
    let task = Task { [transport] in try await transport.send(request).status }
    _ = try await space.stats(when: "inFlight", reaches: 1)
    task.cancel()
    await expectError(.cancelled) { _ = try await task.value }
    #expect(try await space.stats(when: "closedEarly", reaches: 1).total == 1)
  }

  @Test(
    "Cancelling a task that reads the body closes the connection (H9)", arguments: Sender.allCases)
  func cancelInBody(sender: Sender) async throws {
    let transport = sender.transport()
    let space = try await Space()
    var request = HTTPRequest.query("subscription S { todoEvents { kind } }", to: space.graphQL)
    request.headers["accept"] = "text/event-stream"
    let response = try await transport.send(request)
    let task = Task { try await response.body.collect().count }
    _ = try await space.stats(when: "subscribers", reaches: 1)
    task.cancel()
    await expectError(.cancelled) { _ = try await task.value }
    #expect(try await space.stats(when: "closedEarly", reaches: 1).closedEarly == 1)
  }

  @Test("Discarding an unread body closes the connection (H9)", arguments: Sender.allCases)
  func dropBody(sender: Sender) async throws {
    let transport = sender.transport()
    let space = try await Space()
    var request = HTTPRequest.query("subscription S { todoEvents { kind } }", to: space.graphQL)
    request.headers["accept"] = "text/event-stream"
    #expect(try await transport.send(request).status == 200)
    #expect(try await space.stats(when: "closedEarly", reaches: 1).closedEarly == 1)
  }

  @Test("A task that is already cancelled sends nothing", arguments: Sender.allCases)
  func cancelledBefore(sender: Sender) async throws {
    let transport = sender.transport()
    let space = try await Space()
    let task = Task { [transport] in
      withUnsafeCurrentTask { $0?.cancel() }
      _ = try await transport.send(HTTPRequest.query("{ hello }", to: space.graphQL))
    }
    await expectError(.cancelled) { try await task.value }
    #expect(try await space.stats().total == 0)
  }

  @Test("Cancelling at any moment ends that request and no other (H9)", arguments: Sender.allCases)
  func cancelStorm(sender: Sender) async throws {
    let transport = sender.transport()
    let space = try await Space()
    var outcomes: [Bool] = []
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<1_000 {
        if number >= 32, let done = try await group.next() { outcomes.append(done) }
        group.addTask { [transport] in
          let task = Task { [transport] in
            try await text(transport.send(.query("{ hello }", to: space.graphQL)))
          }
          for _ in 0..<(number % 50) { await Task.yield() }
          if number % 2 == 0 { task.cancel() }
          do {
            return try await task.value == #"{"data":{"hello":"Hello, world!"}}"#
          } catch let error as HTTPTransportError {
            return number % 2 == 0 && error.code == .cancelled
          }
        }
      }
      for try await done in group { outcomes.append(done) }
    }
    #expect(outcomes == Array(repeating: true, count: 1_000))
  }

  @Test(
    "Cancelling while a redirect arrives ends the request and does not crash (H9)",
    arguments: Sender.allCases)
  func cancelInRedirect(sender: Sender) async throws {
    let transport = sender.transport()
    let space = try await Space()
    let url = space.broken("redirect-elsewhere-307")
    var outcomes: Set<String> = []
    try await withThrowingTaskGroup(of: String.self) { group in
      for number in 0..<300 {
        if number >= 32, let outcome = try await group.next() { outcomes.insert(outcome) }
        group.addTask { [transport] in
          let task = Task { [transport] in try await transport.send(HTTPRequest(url: url)).status }
          // A busy machine may answer all before they are cancelled, or none in time.
          if number % 10 > 1 { for _ in 0..<(number % 60) { await Task.yield() } }
          if number % 10 > 0 { task.cancel() }
          do {
            return "\(try await task.value)"
          } catch let error as HTTPTransportError {
            return error.code.description
          }
        }
      }
      for try await outcome in group { outcomes.insert(outcome) }
    }
    #expect(outcomes == ["307", "cancelled"])
  }
}
