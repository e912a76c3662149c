import TestSupport
import Testing
import Weir

@testable import WeirJSON

@Suite("Decoded elements that are kept", .timeLimit(.minutes(10)))
struct DecodedElementsTests {
  /// An element that holds an object.
  private struct Item: Decodable {
    @TaskLocal static var probe: ReleaseProbe?

    let probe: ReleaseProbe?

    init(from decoder: any Decoder) throws {
      _ = try Int(from: decoder)
      probe = Self.probe
    }
  }

  /// Keeps none of its elements.
  private struct Count: Decodable {
    let count: Int

    init(from decoder: any Decoder) throws {
      count = try decoder.singleValueContainer().decode([Item].self).count
    }
  }

  @Test("Elements that are replaced by those of a second decoding are released without a lock")
  func released() throws {
    let elements = DecodedElements()
    let json = try JSON(parsing: "[" + (1...40).map { "\($0)" }.joined(separator: ",") + "]")
    let notes = Locked<[Bool]>([])
    func decode() throws {
      let probe = ReleaseProbe {
        _ = try? json.decode([Int].self, reusing: elements)
      } note: { isFree in
        notes.withLock { $0.append(isFree) }
      }
      let count = try Item.$probe.withValue(probe) {
        try json.decode(Count.self, reusing: elements).count
      }
      #expect(count == 40)
    }
    try decode()
    #expect(notes.withLock(\.self) == [])
    try decode()
    #expect(notes.withLock(\.self) == [true])
  }
}
