@testable import Weir

extension FuzzTarget {
  /// The items of a stream, and the error that ended it, if any.
  struct Reading<Item: Equatable>: Equatable {
    var items: [Item] = []
    var failure: StreamFormatError.Code?
  }

  /// Checks that an event stream has the same events however it is split.
  func checkEvents(_ bytes: [UInt8]) throws {
    for limit in [Int.max, 24] {
      try checkCuts(of: bytes) { pieces in
        var parser = EventStreamParser(limit: limit)
        let reading = read(
          pieces, append: { parser.append($0) }, finish: { parser.finish() },
          next: { () throws(StreamFormatError) in try parser.next() })
        return (reading, parser.lastEventID, parser.retryMilliseconds)
      } same: {
        $0 == $1
      }
    }
    try checkPayloads(of: bytes, "text/event-stream")
  }

  /// Checks that a multipart body has the same parts however it is split.
  func checkMultipart(_ bytes: [UInt8]) throws {
    for (boundary, limit) in [("-", Int.max), ("graphql", .max), ("-", 40)] {
      try checkCuts(of: bytes) { pieces in
        var parser = MultipartParser(boundary: boundary, limit: limit)
        let reading = read(
          pieces, append: { parser.append($0) }, finish: { parser.finish() },
          next: { () throws(StreamFormatError) in try parser.next() })
        return (reading, parser.isClosed)
      } same: {
        $0 == $1
      }
    }
    try checkPayloads(of: bytes, "multipart/mixed;boundary=graphql")
  }

  private func checkPayloads(of bytes: [UInt8], _ type: String) throws {
    let type = MediaType(type)
    try checkCuts(of: bytes) { pieces in
      guard var payloads = StreamedPayloads(type, limit: .max) else { return Reading<[UInt8]>() }
      return read(
        pieces, append: { payloads.append($0) }, finish: { payloads.finish() },
        next: { () throws(StreamFormatError) in
          switch try payloads.next() {
          case .payload(let json): json.canonicalBytes
          case .failure(let json): Array("failure ".utf8) + json.canonicalBytes
          case .complete: Array("complete".utf8)
          case nil: nil
          }
        })
    } same: {
      $0 == $1
    }
  }

  private func read<Item: Equatable>(
    _ pieces: [[UInt8]], append: ([UInt8]) -> Void, finish: () -> Void,
    next: () throws(StreamFormatError) -> Item?
  ) -> Reading<Item> {
    var reading = Reading<Item>()
    do throws(StreamFormatError) {
      for piece in pieces {
        append(piece)
        while let item = try next() { reading.items.append(item) }
      }
      finish()
      while let item = try next() { reading.items.append(item) }
    } catch {
      reading.failure = error.code
    }
    return reading
  }

  /// Splits the bytes one by one, and into two or three pieces at places that depend on the bytes.
  private func checkCuts<Outcome>(
    of bytes: [UInt8], _ read: ([[UInt8]]) -> Outcome, same: (Outcome, Outcome) -> Bool
  ) throws {
    let whole = read([bytes])
    let each = read(bytes.map { [$0] })
    try expect(same(whole, each), "byte by byte: \(each), not \(whole)")
    let step = max(bytes.count / 8, 1)
    let first = bytes.first.map { Int($0) % step } ?? 0
    for place in stride(from: first, to: bytes.count, by: step) {
      let last = place + (bytes.count - place) / 2
      for pieces in [
        [Array(bytes[..<place]), Array(bytes[place...])],
        [Array(bytes[..<place]), Array(bytes[place..<last]), Array(bytes[last...])],
      ] {
        let cut = read(pieces)
        try expect(same(whole, cut), "cut at \(pieces.map(\.count)): \(cut), not \(whole)")
      }
    }
  }
}
