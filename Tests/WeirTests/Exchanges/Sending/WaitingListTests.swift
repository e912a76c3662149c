import TestSupport
import Testing

@testable import Weir

@Suite("Waiting lists")
struct WaitingListTests {
  private final class Waiter {}

  @Test(
    "Waiters stay in order of arrival, whichever of them are added and removed", arguments: 0..<20)
  func order(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    var list = WaitingList<Waiter>()
    var expected: [Waiter] = []
    var gone: [Waiter] = []
    for _ in 0..<2_000 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5:
        expected.append(Waiter())
        list.append(expected[expected.count - 1])
      case 5..<7:
        #expect(list.popFirst() === expected.first)
        if !expected.isEmpty { gone.append(expected.removeFirst()) }
      case 7 where !gone.isEmpty:
        list.remove(gone[Int.random(in: 0..<gone.count, using: &random)])
      case 8 where seed.isMultiple(of: 4):
        // All but one leave, so that the list closes its gaps.
        for waiter in expected.dropFirst() { list.remove(waiter) }
        expected = Array(expected.prefix(1))
      default:
        guard !expected.isEmpty else { continue }
        let index = Int.random(in: 0..<expected.count, using: &random)
        gone.append(expected[index])
        list.remove(expected.remove(at: index))
      }
      #expect(list.count == expected.count && list.isEmpty == expected.isEmpty)
    }
    #expect(list.all.map(ObjectIdentifier.init) == expected.map(ObjectIdentifier.init))
  }
}
