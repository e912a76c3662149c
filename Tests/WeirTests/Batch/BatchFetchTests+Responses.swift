import Testing
import Weir

extension BatchFetchTests {
  // MARK: Responses

  @Test(
    "If a response does not answer every operation, every operation fails",
    arguments: [
      ("[]", "malformedResponse"), (#"[{"data":{"name":"x"}}]"#, "malformedResponse"),
      (#"[{"data":{}},{"data":{}},{"data":{}}]"#, "malformedResponse"),
      (#"{"data":{"name":"x"}}"#, "malformedResponse"), ("<html>", "malformedResponse"),
      ("", "malformedResponse"), (#"[{"data":{"name":"x"}},"#, "malformedResponse"),
      ("7", "malformedResponse"), (#"{"errors":[{"message":"No batches"}]}"#, "graphQL"),
    ])
  func mismatch(body: String, code: String) async throws {
    for (status, expected) in [(200, code), (500, code == "graphQL" ? code : "httpStatus")] {
      let fixture = try Fixture(body: body, status: status)
      let tasks = await fixture.start([query("A"), mutation("M"), query("B")])
      await fixture.closeWindow(batches: 2)
      #expect(await outcomes([tasks[0], tasks[2]]) == [expected, expected], "\(body) \(status)")
      let error = await tasks[0].value.error
      if expected != "graphQL" {
        #expect(error?.httpStatus == status)
        #expect(error?.bodyPrefix == body)
        #expect(error?.mediaType == "x/y")
      }
      #expect((error?.underlying is HTTPStatusError) == (status == 500), "\(body)")
      // The mutation is alone, so its request is not a list, and it does not accept a list as the response.
      _ = await tasks[1].value
    }
  }

  @Test("An invalid entry in a batch response fails only its own operation")
  func badEntry() async throws {
    let fixture = try Fixture(
      body: #"[{"data":{"name":"A"}},7,{"errors":[{"message":"No"}]},{"data":{"name":"D"}}]"#)
    let tasks = await fixture.start(["A", "B", "C", "D"].map { query($0) })
    await fixture.closeWindow()
    #expect(await outcomes(tasks) == ["A", "malformedResponse", "graphQL", "D"])
    let (first, last) = (await tasks[0].value, await tasks[3].value)
    #expect(first.data?.document.bytes == Array(#"{"data":{"name":"A"}}"#.utf8))
    #expect(first.timing != nil && first.timing == last.timing)
  }

  @Test("The results of a batch that name their operations by index come in any order (H2)")
  func indices() async throws {
    let fixture = try Fixture(
      body: """
        [{"requestIndex":2,"data":{"name":"C"}},{"data":{"name":"A"},"requestIndex":0},
        {"requestIndex":1,"errors":[{"message":"No"}]}]
        """)
    let tasks = await fixture.start(["A", "B", "C"].map { query($0) })
    await fixture.closeWindow()
    #expect(await outcomes(tasks) == ["A", "graphQL", "C"])
  }

  @Test(
    "If the indices in a batch response do not name each operation once, every operation fails (H2)",
    arguments: [
      ("0", "0"), ("1", "1"), ("1", "2"), ("-1", "0"), ("1", "null"), ("1", "0.5"), ("1", ""),
      ("", "1"),
    ])
  func badIndices(first: String, second: String) async throws {
    let entries = [first, second].map {
      #"{\#($0.isEmpty ? "" : #""requestIndex":\#($0),"#)"data":{"name":"x"}}"#
    }
    let fixture = try Fixture(body: "[\(entries[0]),\(entries[1])]")
    let tasks = await fixture.start([query("A"), query("B")])
    await fixture.closeWindow()
    #expect(await outcomes(tasks) == ["malformedResponse", "malformedResponse"])
  }

  @Test("A byte order mark before a batch response is ignored (H2)")
  func byteOrderMark() async throws {
    let fixture = try Fixture(
      body: "\u{FEFF}[{\"data\":{\"name\":\"A\"}},{\"data\":{\"name\":\"B\"}}]")
    let tasks = await fixture.start([query("A"), query("B")])
    await fixture.closeWindow()
    #expect(await outcomes(tasks) == ["A", "B"])
  }

  @Test("A transport error fails every operation of the batch")
  func transportError() async throws {
    let fixture = try Fixture(answer: { _ in throw HTTPTransportError(.timedOut, "Too long.") })
    let tasks = await fixture.start([query("A"), query("B")])
    await fixture.closeWindow()
    #expect(await outcomes(tasks) == ["transport", "transport"])
  }

  @Test("An error of the header fields is that of a fetch exchange", arguments: [true, false])
  func headerError(isBatched: Bool) async throws {
    let lost = HTTPTransportError(.connectionLost, "The token did not arrive.")
    let fixture = try Fixture(
      answer: { try Fixture.names($0) }, { $0.headers = { _ in throw lost } },
      batching: { $0.maximumCount = isBatched ? 10 : 1 })
    let error = await fixture.client.query(query("A")).error
    #expect(error?.code == .transport && error?.isTransient == true)
  }
}
