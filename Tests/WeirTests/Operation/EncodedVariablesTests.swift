import Testing

@testable import Weir

/// Encodes variables of one document one after the other, which reuses state from the last
/// encoding.
@Suite("Encoded variables", .timeLimit(.minutes(10)))
struct EncodedVariablesTests {
  @Test("Variables are encoded as if they were the first ones of their document (K1)")
  func sequence() throws {
    let document = GraphQLDocument(Self.text)
    let all = Self.variables
    for round in 0..<4 * all.count {
      // Each value follows itself and every other one.
      let variables = all[round.isMultiple(of: 2) ? round / 2 % all.count : round * 7 % all.count]
      let operation = GraphQLOperation(document, variables: Wrapped(variables))
      do {
        let expected = try JSON.encode(Wrapped(variables))
        #expect(operation.variables == expected && operation.defect == nil)
      } catch {
        #expect(operation.defect?.code == .variables)
      }
    }
  }

  @Test("Variables that are encoded concurrently are not mixed up (K1)")
  func concurrency() async {
    let document = GraphQLDocument(Self.text)
    await withTaskGroup(of: Int.self) { group in
      for task in 0..<8 {
        group.addTask {
          (0..<500).reduce(0) { wrong, number in
            let variables = Flat(id: "\(task)-\(number)", first: number)
            let operation = GraphQLOperation(document, variables: variables)
            let expected = #"{"first":\#(number),"id":"\#(task)-\#(number)"}"#
            return wrong + (operation.variables == Array(expected.utf8) ? 0 : 1)
          }
        }
      }
      for await wrong in group { #expect(wrong == 0) }
    }
  }

  @Test("Encoding variables may create another operation of the same document (K1)")
  func reentrancy() {
    let outer = GraphQLOperation(Nesting.document, variables: Nesting(depth: 3))
    #expect(String(decoding: outer.variables, as: UTF8.self) == Nesting.text(3))
  }

  @Test("Files of one operation's variables do not appear in the next one's")
  func uploads() {
    struct Sending: Encodable, Sendable { var file: Upload? }
    let document = GraphQLDocument("mutation A($file: Upload) { a }")
    let upload = Upload(bytes: [1], filename: "a")
    for file in [upload, nil, upload, nil] {
      let operation = GraphQLOperation(document, variables: Sending(file: file))
      #expect(operation.uploads.map(\.path) == (file == nil ? [] : ["file"]))
      #expect(operation.variables == Array((file == nil ? "{}" : #"{"file":null}"#).utf8))
    }
  }
}

extension EncodedVariablesTests {
  struct Flat: Encodable, Sendable {
    var id = "1"
    var first: Int? = 10
  }

  struct Nested: Encodable, Sendable {
    var z = Flat()
    var list = [Flat(id: "\"é\n"), Flat(first: nil)]
    var a: [String: [Int]] = ["b": [], "a": [1, 2]]
  }

  /// Too large to be kept for the next encoding.
  struct Large: Encodable, Sendable {
    var texts = (0..<1000).map { String(repeating: "x", count: $0 % 50) }
  }

  /// Throws while a part is encoded.
  struct Failing: Encodable, Sendable {
    var id = "lost"
    var number = Double.nan
  }

  /// Encodes into one object with the keys of two types.
  class Base: Encodable, @unchecked Sendable {
    // Proof: never changed.
    let base = 1
  }

  final class Derived: Base, @unchecked Sendable {
    let derived = 2

    enum CodingKeys: CodingKey { case derived, id }

    override func encode(to encoder: any Encoder) throws {
      try super.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(derived, forKey: .derived)
      var again = encoder.container(keyedBy: CodingKeys.self)
      try again.encode("again", forKey: .id)
    }
  }

  /// Encodes its object through a container inside a single-value container.
  struct Indirect: Encodable, Sendable {
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(Flat(id: "inner"))
    }
  }

  struct Containers: Encodable, Sendable {
    enum CodingKeys: CodingKey { case c, b, a }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      var nested = container.nestedContainer(keyedBy: CodingKeys.self, forKey: .c)
      try nested.encode(1, forKey: .a)
      var list = container.nestedUnkeyedContainer(forKey: .b)
      try list.encode("x")
      try Flat().encode(to: container.superEncoder(forKey: .a))
      try Flat().encode(to: container.superEncoder())
    }
  }

  struct Nothing: Encodable, Sendable {
    func encode(to encoder: any Encoder) {}
  }

  /// Declares every variable that one of the values has.
  static let text =
    "query A("
    + ["a", "b", "base", "c", "derived", "first", "id", "list", "number", "super", "texts", "z"]
    .map { "$\($0): Any " }.joined() + ") { a }"

  static let variables: [any Encodable & Sendable] = [
    Flat(), Flat(id: "2"), Nested(), Large(), Failing(), Base(), Derived(), Indirect(),
    Containers(), Nothing(), ["a": 1], Flat(id: "last", first: nil),
  ]

  /// Wraps them all in one type, so that the same generic code encodes each.
  struct Wrapped: Encodable, Sendable {
    let variables: any Encodable & Sendable

    init(_ variables: any Encodable & Sendable) {
      self.variables = variables
    }

    func encode(to encoder: any Encoder) throws { try variables.encode(to: encoder) }
  }

  struct Nesting: Encodable, Sendable {
    static let document = GraphQLDocument("query Nesting($depth: Int, $inner: Int) { a }")
    var depth: Int

    enum CodingKeys: CodingKey { case depth, inner }

    static func text(_ depth: Int) -> String {
      let inner = depth > 0 ? #","inner":\#(text(depth - 1).count)"# : ""
      return #"{"depth":\#(depth)\#(inner)}"#
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(depth, forKey: .depth)
      guard depth > 0 else { return }
      let inner = GraphQLOperation(Self.document, variables: Nesting(depth: depth - 1))
      try container.encode(inner.variables.count, forKey: .inner)
    }
  }
}
