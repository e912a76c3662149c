import Foundation
import Weir

/// Encodes a result of a document cache as the value of a row.
///
/// The format, little-endian throughout:
/// 1. a version byte;
/// 2. the strings `text`, `variables` and `data`;
/// 3. the optional strings `scope` and `extensions`;
/// 4. the lists `names` and `unknownFields`;
/// 5. the optional doubles `receivedAt` (seconds since 2001) and `duration` (seconds).
///
/// A string is its length in four bytes and its UTF-8; a list is its count in four bytes and its
/// strings; an optional value follows a byte that is 1 if the value is present and 0 otherwise.
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

  /// Decodes bytes that ``encode(_:)`` has made; nil if they are damaged.
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

  /// Returns a key of 128 bits for an entry.
  ///
  /// A collision of two operations only loses one of the two results, because the row contains the
  /// operation itself.
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

  /// Returns a number that differs between two receptions of one operation's result, computed
  /// without its data.
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
    for shift in stride(from: 0, to: Number.bitWidth, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> shift))
    }
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

  /// Reads an optional value: nil if the bytes are damaged, `.some(nil)` if the value is absent.
  mutating func optional<Value>(_ body: (inout Reader) -> Value?) -> Value?? {
    switch rest.popFirst() {
    case 0: return .some(nil)
    case 1: return body(&self).map { .some($0) }
    default: return nil
    }
  }
}
