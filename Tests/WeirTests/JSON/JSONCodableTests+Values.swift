import Foundation
import Testing
import Weir

extension JSONCodableTests {
  struct Everything: Codable, Equatable {
    enum Shape: Codable, Equatable {
      case point
      case circle(radius: Double)
      case named(String, sides: Int?)
    }
    enum Color: String, Codable { case red, green }
    enum Level: Int, Codable { case low = 1, high }
    struct Nested: Codable, Equatable { var a: [Int?]; var b: [String: [Bool]] }

    var bool = true
    var int = Int.min
    var int8 = Int8.min
    var int16 = Int16.max
    var int32 = Int32.min
    var int64 = Int64.max
    var uint = UInt.max
    var uint8 = UInt8.max
    var uint16 = UInt16.max
    var uint32 = UInt32.max
    var uint64 = UInt64.max
    var float: Float = 0.1
    var double = 0.1
    var string = "q\"\\/\u{1}\né日👍🏽"
    var missing: String?
    var present: String? = "x"
    var optionals: [Double?] = [1.5, nil, -0.25]
    var shapes: [Shape] = [.point, .circle(radius: 2.5), .named("n", sides: nil)]
    var color = Color.green
    var level = Level.high
    var nested = Nested(a: [1, nil], b: ["k": [true], "": []])
    var numbered: [Int: String] = [-1: "m", 20: "z"]
    var colors: [Int8] = []
    var matrix: [[Int]] = [[], [1], [1, 2]]
    var set: Set<Int> = [5]
    var id = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17, 18, 19, 20, 21, 22))
    var url = URL(string: "https://example.org/a?b=c")
    var data = Data([0, 1, 254, 255])
    var decimal = Decimal(string: "12.3456789012345678901")
    var date = Date(timeIntervalSince1970: 1_700_000_000)
    var range = 1..<5
  }

  /// Numbers of 128 bits as members, absent members, and elements.
  struct Wide: Codable, Equatable {
    var signed = Int128.min
    var unsigned: UInt128? = .max
    var missing: Int128?
    var list = [UInt128.max]
    var pair = Pair()

    struct Pair: Codable, Equatable {
      init() {}

      init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        #expect(try container.decode(Int128.self) == .max)
        #expect(try container.decode(UInt128.self) == .zero)
      }

      func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(Int128.max)
        try container.encode(UInt128.zero)
      }
    }
  }

  /// Absent members of every type that a container has a method for.
  struct Absent: Encodable {
    var bool: Bool?
    var string: String?
    var double: Double?
    var float: Float?
    var int: Int?
    var int8: Int8?
    var int16: Int16?
    var int32: Int32?
    var int64: Int64?
    var int128: Int128?
    var uint: UInt?
    var uint8: UInt8?
    var uint16: UInt16?
    var uint32: UInt32?
    var uint64: UInt64?
    var uint128: UInt128?
    var list: [Int]?
  }

  /// A class hierarchy with nested containers of both kinds and `super`.
  class Base: Codable {
    var base = 1
  }
  final class Derived: Base {
    var derived = 2
    enum Keys: String, CodingKey { case derived, inner, list, `super`, deep }
    override init() { super.init() }
    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      try super.init(from: container.superDecoder())
      derived = try container.decode(Int.self, forKey: .derived)
      let inner = try container.nestedContainer(keyedBy: Keys.self, forKey: .inner)
      derived += try inner.decode(Int.self, forKey: .deep)
      var list = try container.nestedUnkeyedContainer(forKey: .list)
      derived += try list.decode(Int.self)
      derived += try list.nestedContainer(keyedBy: Keys.self).decode(Int.self, forKey: .deep)
      var deeper = try list.nestedUnkeyedContainer()
      while !deeper.isAtEnd { derived += try deeper.decode(Int.self) }
      derived += try Int(from: list.superDecoder())
    }
    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      try super.encode(to: container.superEncoder())
      try container.encode(derived, forKey: .derived)
      var inner = container.nestedContainer(keyedBy: Keys.self, forKey: .inner)
      try inner.encode(10, forKey: .deep)
      var list = container.nestedUnkeyedContainer(forKey: .list)
      try list.encode(100)
      var member = list.nestedContainer(keyedBy: Keys.self)
      try member.encode(1000, forKey: .deep)
      var deeper = list.nestedUnkeyedContainer()
      try deeper.encode(10_000)
      try deeper.encode(20_000)
      try 100_000.encode(to: list.superEncoder())
    }
  }
}
