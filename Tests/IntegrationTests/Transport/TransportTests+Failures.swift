import Foundation
import TestSupport
import Testing
import Weir

extension TransportTests {
  // MARK: - Timeouts (H3)

  @Test(
    "Silent and slow responses time out (H3)",
    arguments: Sender.allCases,
    ["hang", "hang-in-status", "hang-in-head", "hang-after-head", "chunk-no-end-hang"])
  func idleTimeout(sender: Sender, kind: String) async throws {
    let transport = sender.transport()
    let space = try await Space()
    var request = HTTPRequest(url: space.broken(kind))
    request.idleTimeout = .milliseconds(150)
    await expectError(.timedOut) { _ = try await transport.send(request).body.collect() }
  }

  @Test(
    "The total timeout ends a body that arrives slowly without an end (H3)",
    arguments: Sender.allCases)
  func totalTimeout(sender: Sender) async throws {
    let transport = sender.transport()
    let space = try await Space()
    var request = HTTPRequest(url: space.broken("drip-for-ever"))
    (request.idleTimeout, request.timeout) = (.seconds(600), .milliseconds(300))
    await expectError(.timedOut) { [request] in
      _ = try await transport.send(request).body.collect()
    }
  }

  @Test("The total timeout includes redirects (H3)", arguments: Sender.allCases)
  func totalTimeoutOfRedirects(sender: Sender) async throws {
    let space = try await Space()
    // All 30 redirects would take 3 seconds.
    let transport = sender.transport(redirectLimit: 30)
    let request = HTTPRequest(url: space.broken("redirect-slow"), timeout: .seconds(1))
    await expectError(.timedOut) { _ = try await transport.send(request) }
  }

  // MARK: - Limits (H3)

  @Test(
    "A body over the limit is refused, with or without a length, compressed or not (H3)",
    arguments: Sender.allCases, ["huge-length", "huge-endless", "huge-chunks", "huge-bomb"])
  func limit(sender: Sender, kind: String) async throws {
    let transport = sender.transport()
    let space = try await Space()
    let request = HTTPRequest(url: space.broken(kind), responseBodyLimit: 100_000)
    await expectError(.tooLarge) { _ = try await transport.send(request).body.collect() }
  }

  @Test("A body of exactly the limit is accepted", arguments: Sender.allCases)
  func atLimit(sender: Sender) async throws {
    let transport = sender.transport()
    let space = try await Space()
    var request = HTTPRequest(url: space.broken("type-text"), responseBodyLimit: 34)
    #expect(try await text(transport.send(request)).utf8.count == 34)
    request.responseBodyLimit = 33
    await expectError(.tooLarge) { [request] in
      _ = try await transport.send(request).body.collect()
    }
  }

  @Test(
    "The limit of a body is not that of a response without a body (RFC 9110, section 8.6)",
    arguments: Sender.allCases)
  func bodyless(sender: Sender) async throws {
    let transport = sender.transport()
    let space = try await Space()
    var request = HTTPRequest(
      method: .get, url: space.broken("not-modified"), responseBodyLimit: 10)
    #expect(try await transport.send(request).status == 304)
    request.url = space.broken("head-of-large")
    request.method = HTTPMethod(rawValue: "HEAD")
    let response = try await transport.send(request)
    let body = try await response.body.collect()
    #expect(response.status == 200 && body.isEmpty)
  }

  #if canImport(FoundationNetworking)
    @Test("A body that outruns its reader is abandoned; the bytes held so far stay readable")
    func unread() async throws {
      let space = try await Space()
      var options = URLSessionTransport.Options()
      options.unreadLimit = 300_000
      options.unreadFileLimit = 700_000
      let transport = URLSessionTransport(options: options)
      let response = try await transport.send(HTTPRequest(url: space.broken("huge-endless")))
      _ = try await space.stats(when: "closedEarly", reaches: 1)
      var received = 0
      await expectError(.tooLarge) {
        for try await chunk in response.body { received += chunk.count }
      }
      #expect(received > 900_000)
      #expect(received <= 1_000_000)
    }
  #endif

  // MARK: - Lost connections and broken responses (H3)

  @Test(
    "A closed port is cannotConnect, and an unknown host is hostNotFound (H3)",
    arguments: Sender.allCases)
  func unreachable(sender: Sender) async throws {
    let transport = sender.transport()
    let closed = try #require(URL(string: "http://127.0.0.1:1/"))
    await expectError(.cannotConnect) { _ = try await transport.send(HTTPRequest(url: closed)) }
    let unknown = try #require(URL(string: "http://nowhere.invalid/"))
    await expectError(.hostNotFound) { _ = try await transport.send(HTTPRequest(url: unknown)) }
  }

  #if canImport(FoundationNetworking)
    @Test(
      "A connection that ends during the TLS handshake is a lost connection (H3)",
      arguments: Sender.allCases)
    func handshake(sender: Sender) async throws {
      let transport = sender.transport()
      var components = try #require(
        URLComponents(url: try await Space().broken("data-200"), resolvingAgainstBaseURL: true))
      components.scheme = "https"
      let url = try #require(components.url)
      await expectError(.connectionLost) { _ = try await transport.send(HTTPRequest(url: url)) }
    }
  #endif

  @Test(
    "If the connection drops in mid-body, the received bytes are delivered before the error (H3)",
    arguments: Sender.allCases)
  func drop(sender: Sender) async throws {
    let transport = sender.transport()
    let space = try await Space()
    let response = try await transport.send(HTTPRequest(url: space.broken("chunk-no-end")))
    var received: [UInt8] = []
    await expectError(.connectionLost) {
      for try await chunk in response.body { received += chunk }
    }
    #expect(String(decoding: received, as: UTF8.self) == #"{"data":{"hello":"Hello, world!"}}"#)
  }

  @Test(
    "Every broken response ends as a response or as a typed error (H3)", arguments: Sender.allCases)
  func brokenResponses(sender: Sender) async throws {
    let transport = sender.transport()
    let space = try await Space()
    let kinds = try await space.brokenKinds(for: sender)
    #expect(kinds.count > 200)
    for kind in Stress.some(of: kinds) {
      let timeout: Duration =
        kind.outcomes.contains("timedOut") ? .milliseconds(300) : .seconds(600)
      let request = HTTPRequest(
        url: space.broken(kind.name), timeout: timeout, responseBodyLimit: 1_000_000)
      var outcome = "response"
      do {
        let response = try await transport.send(request)
        _ = try await response.body.collect()
      } catch {
        outcome = try #require(error as? HTTPTransportError, "\(kind)").code.description
      }
      let endsAsResponse = !kind.outcomes.isDisjoint(with: ["data", "errors", "http", "malformed"])
      #expect(
        kind.expected == "any" || kind.outcomes.contains(outcome)
          || (outcome == "response" && endsAsResponse), "\(kind): \(outcome), not \(kind.expected)")
    }
  }
}
