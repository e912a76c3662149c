import TestSupport
import Testing
@testable import Weir
import WeirTesting

extension BatchFetchTests {
  // MARK: Cancellation

  @Test("An operation that is cancelled before its request leaves is left out")
  func leftOut() async throws {
    let fixture = try Fixture()
    let tasks = await fixture.start([query("A"), query("B"), query("C")])
    tasks[1].cancel()
    #expect(await outcomes([tasks[1]]) == ["cancelled"])
    await eventually { fixture.exchange.waitingCount <= 2 }
    await fixture.closeWindow()
    #expect(await outcomes([tasks[0], tasks[2]]) == ["A", "C"])
    #expect(try fixture.sent == [["A", "C"]])
  }

  @Test("Nothing is sent if all operations are cancelled before the request leaves")
  func allLeftOut() async throws {
    let fixture = try Fixture()
    let tasks = await fixture.start([query("A"), query("B")])
    for task in tasks { task.cancel() }
    #expect(await outcomes(tasks) == ["cancelled", "cancelled"])
    await eventually { fixture.exchange.waitingCount == 0 }
    await fixture.closeWindow()
    let more = await fixture.start([query("C")])
    await fixture.closeWindow()
    #expect(await outcomes(more) == ["C"])
    #expect(try fixture.sent == [["C"]])
  }

  @Test("Cancelling one operation in flight keeps the request; cancelling all cancels it")
  func cancelled() async throws {
    let (arrived, answered, ended) = (Gate(), Gate(), Gate())
    let fixture = try Fixture(answer: { request in
      arrived.open()
      await answered.pass()
      if Task.isCancelled { ended.open() }
      try Task.checkCancellation()
      return try Fixture.names(request)
    })
    for cancelsAll in [false, true] {
      arrived.close()
      answered.close()
      let tasks = await fixture.start([query("A"), query("B")])
      await fixture.closeWindow()
      await arrived.pass()
      tasks[0].cancel()
      #expect(await outcomes([tasks[0]]) == ["cancelled"])
      if cancelsAll {
        tasks[1].cancel()
        await ended.pass()
      } else {
        answered.open()
      }
      #expect(await outcomes([tasks[1]]) == [cancelsAll ? "cancelled" : "B"])
    }
    #expect(fixture.transport.requests.count == 2)
  }
}
