import Weir

/// The floors of operations that are made with variables: the bytes of the variables in an object, and a
/// hash of them.
extension Floors {
  static func key(_ variables: some Encodable) throws -> Workload {
    try key { try BareIdentity(variables) }
  }

  static func key(_ literal: JSONValue) throws -> Workload {
    try key { BareIdentity(literal) }
  }

  /// Inlined, so that a floor pays for no closure.
  @inline(__always)
  private static func key(_ make: @escaping () throws -> BareIdentity) throws -> Workload {
    let length = try make().bytes.count
    return Workload(
      run: { operations in
        for _ in 0..<operations {
          let identity = try make()
          use(identity.hashValue)
          try expect(identity.bytes.count == length, "The floor of a key is wrong.")
        }
      })
  }
}

/// The variables of an operation and their hash.
private final class BareIdentity {
  let bytes: [UInt8]
  let hashValue: Int

  init(_ variables: some Encodable) throws {
    let encoder = BareEncoder()
    try encoder.write(variables)
    bytes = encoder.bytes
    hashValue = bytes.hashValue
  }

  init(_ literal: JSONValue) {
    var bytes: [UInt8] = []
    literal.write(to: &bytes)
    self.bytes = bytes
    hashValue = bytes.hashValue
  }
}

extension JSONValue {
  /// Writes a value with the members of objects by name. Nothing is escaped or checked.
  fileprivate func write(to bytes: inout [UInt8]) {
    switch self {
    case .null, .uint, .double: unused()
    case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
    case .int(let value): bytes.append(contentsOf: String(value).utf8)
    case .string(let text): Self.write(text, to: &bytes)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for element in elements {
        element.write(to: &bytes)
        bytes.append(UInt8(ascii: ","))
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (name, value) in members.sorted(by: { $0.key < $1.key }) {
        Self.write(name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        value.write(to: &bytes)
        bytes.append(UInt8(ascii: ","))
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private static func write(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: text.utf8)
    bytes.append(UInt8(ascii: "\""))
  }
}
