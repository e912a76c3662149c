import Testing

@testable import Weir

/// How much is written and copied for a response of many payloads.
@Suite("Work for streamed responses", .timeLimit(.minutes(10)))
struct StreamedWorkTests {
  /// The work for one response.
  private struct Work {
    var results = 0
    var bytes = 0
    var errors = 0
    var last: OperationResult?
  }

  /// Merges payloads that arrive one by one.
  private func work(
    _ payloads: [String], burst: Int,
    instant: @escaping @Sendable (Int) -> Duration = { _ in .zero }
  ) throws -> Work {
    let start = ContinuousClock.now
    let number = Locked(0)
    let budget = RewritingBudget(burst: burst) { start + instant(number.withLock { $0 }) }
    var assembler = ResultAssembler(kind: .query, budget: budget)
    var work = Work()
    for payload in payloads {
      number.withLock { $0 += 1 }
      guard try assembler.append(JSON(parsing: payload)), assembler.isDue else { continue }
      let result = try assembler.result()
      work.results += 1
      work.bytes += result.data?.document.bytes.count ?? 0
      work.errors += result.error?.graphQLErrors.count ?? 0
      work.last = result
    }
    return work
  }

  private static func payloads(_ count: Int, text: String, patch: (Int) -> String) -> [String] {
    let first = #"{"data":{"text":"\#(text)","n":{}},"hasNext":true}"#
    let last = #"{"hasNext":false}"#
    return [first] + (0..<count).map(patch) + [last]
  }

  private static func field(_ number: Int) -> String {
    #"{"incremental":[{"path":["n"],"data":{"f\#(number)":\#(number)}}],"hasNext":true}"#
  }

  @Test("Small payloads after large data do not each write all of it (H10)")
  func rewriting() throws {
    let text = String(repeating: "x", count: 100_000)
    let work = try work(Self.payloads(400, text: text, patch: Self.field), burst: 1 << 20)
    // 100 kB for each of 400 payloads would be 40 MB.
    #expect(work.bytes < 3 << 20)
    // Those within the budget are not held back.
    #expect(work.results >= 10)
    #expect(work.last?.data?["n"]?.count == 400)
    #expect(work.last?.hasNext == false)
  }

  @Test("Payloads that come now and then make a result each (H10)")
  func slowPayloads() throws {
    let text = String(repeating: "x", count: 100_000)
    let work = try work(Self.payloads(100, text: text, patch: Self.field), burst: 1 << 20) {
      .milliseconds(100 * $0)
    }
    #expect(work.results == 102)
  }

  @Test("Errors of incremental payloads are not copied for each payload (H10)")
  func errors() throws {
    let payloads = Self.payloads(3_000, text: "") {
      let error = #"{"message":"e\#($0)","path":["n",\#($0)]}"#
      return #"{"incremental":[{"path":["n"],"errors":[\#(error)]}],"hasNext":true}"#
    }
    let work = try work(payloads, burst: 0)
    // A copy of all errors for each payload would be 4.5 million.
    #expect(work.errors < 300_000)
    #expect(work.last?.error?.graphQLErrors.count == 3_000)
    #expect(work.last?.error?.graphQLErrors.last?.message == "e2999")
  }

  @Test("The message of many errors is short, and is made only when it is read (H10)")
  func message() throws {
    let list = (0..<5_000).map { #"{"message":"e\#($0)","path":["a",\#($0)]}"# }
    let response = try #require(
      GraphQLResponse(JSON(parsing: #"{"errors":[\#(list.joined(separator: ","))]}"#)))
    let error = OperationError(graphQLErrors: response.errors)
    #expect(error.graphQLErrors.count == 5_000)
    #expect(error.message.hasPrefix("e0; e1; e2"))
    #expect(error.message.hasSuffix("e99; and 4900 more errors"))
    #expect(error == OperationError(graphQLErrors: response.errors))
    #expect(error != OperationError(graphQLErrors: response.errors.dropLast()))
  }

  @Test("After a thousand errors, only those with a path are kept (H10)")
  func errorsWithoutPath() throws {
    let list = [String](repeating: "7", count: 5_000) + [#"{"message":"m","path":["a"]}"#]
    let errors = "[\(list.joined(separator: ","))]"
    let response = try #require(GraphQLResponse(JSON(parsing: #"{"errors":\#(errors)}"#)))
    #expect(response.errors.count == 1_001)
    #expect(response.errors.last?.path == [.key("a")])
    var merge = IncrementalMerge()
    try merge.append(JSON(parsing: #"{"data":{},"hasNext":true}"#))
    for _ in 0..<3 {
      try merge.append(
        JSON(parsing: #"{"incremental":[{"path":[],"errors":\#(errors)}],"hasNext":true}"#))
    }
    #expect(merge.errors.count == 1_003)
  }

  @Test("A long path that is announced once and used often is limited like data (H10)")
  func longPath() throws {
    let key = String(repeating: "k", count: 100_000)
    func payload(_ entries: Int) throws -> JSON {
      let list = [String](repeating: #"{"id":"0","data":{}}"#, count: entries)
      return try JSON(
        parsing: #"{"incremental":[\#(list.joined(separator: ","))],"hasNext":true}"#)
    }
    func merge(_ key: String, entries: Int, limit: Int) throws {
      var merge = IncrementalMerge(limit: limit)
      try merge.append(
        JSON(
          parsing:
            #"{"data":{"\#(key)":{}},"pending":[{"id":"0","path":["\#(key)"]}],"hasNext":true}"#))
      try merge.append(payload(entries))
    }
    #expect(throws: StreamFormatError.mergedTooLarge(1 << 20)) {
      try merge(key, entries: 100, limit: 1 << 20)
    }
    try merge(key, entries: 5, limit: 1 << 20)
    try merge("feed", entries: 10_000, limit: 1 << 18)
  }

  @Test(
    "A subscription's event is complete before the next one replaces it (H6)",
    arguments: [
      [#"{"incremental":[{"path":["n"],"data":{"a":1}}],"hasNext":false}"#],
      [
        #"{"incremental":[{"path":["n"],"data":{"a":1}}],"hasNext":true}"#, #"{"hasNext":false}"#,
      ],
    ])
  func completeEvents(end: [String]) async throws {
    let text = String(repeating: "x", count: 20_000)
    let parts =
      [#"{"data":{"text":"\#(text)","n":{}},"hasNext":true}"#] + end + [#"{"data":{"n":2}}"#]
    let body = parts.map { "--x\r\ncontent-type: application/json\r\n\r\n\($0)\r\n" }.joined()
    let response = HTTPResponse(
      status: 200, headers: ["content-type": "multipart/mixed; boundary=x"],
      body: HTTPBody(Array((body + "--x--\r\n").utf8)))
    let feed = try #require(
      StreamedResponse.ifStreamed(response, kind: .subscription, limit: 1 << 20))
    var found: [JSON?] = []
    while let result = try await feed.next() { found.append(result.data?["n"]) }
    #expect(found == (try ["{}", #"{"a":1}"#, "2"].map { try JSON(parsing: $0) }))
  }
}
