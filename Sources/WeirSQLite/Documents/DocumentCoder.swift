import Foundation
import Weir
import WeirNormalized

/// Encodes a result of a document cache as the value of a row: JSON text, with the time of reception
/// in seconds since 2001.
enum DocumentCoder {
  static func encode(_ entry: DocumentCacheSnapshot.Entry) throws(StorageError) -> [UInt8] {
    do {
      return try JSON.encode(entry, options: JSONEncodeOptions(dates: .deferredToDate))
    } catch {
      throw StorageError(.failed, "A result cannot be encoded: \(error)")
    }
  }

  /// Decodes bytes that ``encode(_:)`` has made; nil if they are damaged.
  static func decode(_ bytes: [UInt8]) -> DocumentCacheSnapshot.Entry? {
    try? JSON(parsing: bytes).decode(dates: .deferredToDate)
  }

  /// Returns a key of 128 bits for an entry.
  ///
  /// A collision of two operations only loses one of the two results, because the row contains the
  /// operation itself.
  static func key(of entry: DocumentCacheSnapshot.Entry) -> [UInt8] {
    ([1, 2] as [UInt64]).flatMap { seed in
      var hash = StableHash(seed: seed)
      for text in [entry.text, entry.variables, entry.scope ?? ""] { hash.combine(text) }
      hash.combine(entry.scope == nil ? 0 : 1)
      return withUnsafeBytes(of: hash.value.littleEndian, Array.init)
    }
  }

  /// Returns a number that differs between two receptions of one operation's result, computed
  /// without its data.
  static func reception(of entry: DocumentCacheSnapshot.Entry) -> Int64? {
    guard let receivedAt = entry.receivedAt else { return nil }
    var hash = StableHash(seed: receivedAt.timeIntervalSinceReferenceDate.bitPattern)
    hash.combine(entry.duration?.bitPattern ?? 0)
    hash.combine(UInt64(entry.data.utf8.count))
    for name in entry.names + entry.unknownFields { hash.combine(name) }
    return hash.checksum
  }
}
