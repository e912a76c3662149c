import Foundation
import Weir

/// A result of a document cache as the value of a row.
///
/// A version byte; then the texts text, variables, data, and, each after a byte that says whether it
/// is there, scope and extensions; then the lists names and unknown fields; then, each after such a
/// byte, the seconds since 2001 when it was received and the seconds that it took, as IEEE doubles.
/// Texts are UTF-8 after their length, lists are texts after their number; numbers are four bytes.
/// Everything is little-endian.
enum DocumentCoder {
  private static let version: UInt8 = 1

  static func encode(_ entry: DocumentCacheSnapshot.Entry) -> [UInt8] {
    var writer = Writer()
    writer.bytes.append(version)
    for text in [entry.text, entry.variables, entry.data] { writer.write(text) }
    for text in [entry.scope, entry.extensions] { writer.write(text) { $0.write($1) } }
    for list in [entry.names, entry.unknownFields] {
      writer.write(UInt32(list.count))
      for text in list { writer.write(text) }
    }
    for number in [entry.receivedAt?.timeIntervalSinceReferenceDate, entry.duration] {
      writer.write(number) { $0.write($1.bitPattern) }
    }
    return writer.bytes
  }

  /// Nil if the bytes are none that ``encode(_:)`` makes.
  static func decode(_ bytes: [UInt8]) -> DocumentCacheSnapshot.Entry? {
    var reader = Reader(rest: bytes[...])
    guard reader.rest.popFirst() == version, let text = reader.text(),
      let variables = reader.text(), let data = reader.text(),
      let scope = reader.optional({ $0.text() }), let extensions = reader.optional({ $0.text() }),
      let names = reader.list(), let unknownFields = reader.list(),
      let receivedAt = reader.optional({ $0.double() }),
      let duration = reader.optional({ $0.double() }), reader.rest.isEmpty
    else { return nil }
    return DocumentCacheSnapshot.Entry(
      text: text, variables: variables, scope: scope, names: names, unknownFields: unknownFields,
      data: data, extensions: extensions,
      receivedAt: receivedAt.map(Date.init(timeIntervalSinceReferenceDate:)), duration: duration)
  }

  /// 128 bits of what a result is found by. Two operations with one hash would only drop one of two
  /// results: the row holds the operation itself.
  static func key(of entry: DocumentCacheSnapshot.Entry) -> [UInt8] {
    var writer = Writer()
    for seed in [1, 2] as [UInt64] {
      var checksum = Checksum(seed: seed)
      for text in [entry.text, entry.variables, entry.scope ?? ""] { checksum.combine(text) }
      checksum.combine(entry.scope == nil ? 0 : 1)
      writer.write(checksum.hash)
    }
    return writer.bytes
  }

  /// Tells one reception of an operation's result from another, without its data.
  static func reception(of entry: DocumentCacheSnapshot.Entry) -> Int64? {
    guard let receivedAt = entry.receivedAt else { return nil }
    var checksum = Checksum(seed: receivedAt.timeIntervalSinceReferenceDate.bitPattern)
    checksum.combine(entry.duration?.bitPattern ?? 0)
    checksum.combine(UInt64(entry.data.utf8.count))
    for name in entry.names + entry.unknownFields { checksum.combine(name) }
    return checksum.value
  }
}

private struct Writer {
  var bytes: [UInt8] = []

  mutating func write<Number: FixedWidthInteger>(_ number: Number) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func write(_ text: String) {
    write(UInt32(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  mutating func write<Value>(_ value: Value?, _ body: (inout Writer, Value) -> Void) {
    bytes.append(value == nil ? 0 : 1)
    if let value { body(&self, value) }
  }
}

private struct Reader {
  var rest: ArraySlice<UInt8>

  private mutating func number(_ size: Int) -> UInt64? {
    guard rest.count >= size else { return nil }
    let number = rest.prefix(size).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    rest = rest.dropFirst(size)
    return number
  }

  mutating func double() -> Double? {
    number(8).map(Double.init(bitPattern:))
  }

  mutating func text() -> String? {
    guard let count = number(4).map({ Int($0) }), count <= rest.count else { return nil }
    let text = String(decoding: rest.prefix(count), as: UTF8.self)
    rest = rest.dropFirst(count)
    return text
  }

  mutating func list() -> [String]? {
    guard let count = number(4), count <= rest.count else { return nil }
    var texts: [String] = []
    for _ in 0..<count {
      guard let text = text() else { return nil }
      texts.append(text)
    }
    return texts
  }

  /// Nil if the bytes are damaged; `.some(nil)` if there is no value.
  mutating func optional<Value>(_ body: (inout Reader) -> Value?) -> Value?? {
    switch rest.popFirst() {
    case 0: return .some(nil)
    case 1: return body(&self).map { .some($0) }
    default: return nil
    }
  }
}
