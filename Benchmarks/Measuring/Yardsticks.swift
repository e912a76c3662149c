import Foundation

/// Work that every Swift programmer has a feeling for, done without Weir, on the same machine in
/// the same run. A time says something about a machine; a multiple says something about a program.
enum Yardstick: String, CaseIterable {
  /// Finding a value in a `[String: Int]` of 1,000 keys such as `Todo:123`.
  case dictionaryLookup
  /// Locking and unlocking an `NSLock` that nobody else wants.
  case lock
  /// Copying the bytes of 10,000 items (1.74 MB).
  case memcpy
  /// `JSONSerialization` of 10,000 items (1.74 MB).
  case jsonSerialization
  /// `JSONDecoder` of 10,000 items (1.74 MB) into structs.
  case jsonDecoder
  /// `JSONSerialization` of one post (166 bytes).
  case jsonSerializationSmall
  /// `JSONDecoder` of one post (166 bytes) into structs.
  case jsonDecoderSmall

  /// As it is called in the table.
  var title: String {
    switch self {
    case .dictionaryLookup: "look-up"
    case .lock: "lock"
    case .memcpy: "memcpy"
    case .jsonSerialization: "JSONSerialization"
    case .jsonDecoder: "JSONDecoder"
    case .jsonSerializationSmall: "JSONSerialization, small"
    case .jsonDecoderSmall: "JSONDecoder, small"
    }
  }

  /// What exactly is timed.
  var explanation: String {
    switch self {
    case .dictionaryLookup: "a look-up in a [String: Int] of 1,000 keys such as Todo:123"
    case .lock: "lock and unlock of an uncontended NSLock"
    case .memcpy: "memcpy of the 1.74 MB payload"
    case .jsonSerialization: "JSONSerialization of the 1.74 MB payload"
    case .jsonDecoder: "JSONDecoder of the 1.74 MB payload into structs"
    case .jsonSerializationSmall: "JSONSerialization of one post, 166 bytes"
    case .jsonDecoderSmall: "JSONDecoder of one post, 166 bytes, into structs"
    }
  }
}

/// Times yardsticks.
final class Yardsticks {
  private let effort: Effort
  private var works: [Yardstick: Work] = [:]
  private var times: [Yardstick: [Double]] = [:]

  private struct Work {
    let operations: Int
    let run: (Int) throws -> Void
  }

  init(effort: Effort) {
    self.effort = effort
  }

  /// One sample: nanoseconds per operation. The first time, the work is warmed up before.
  func sample(_ yardstick: Yardstick) throws -> Double {
    let work = try works[yardstick] ?? prepare(yardstick)
    let start = ContinuousClock.now
    try work.run(work.operations)
    let time = (ContinuousClock.now - start).nanoseconds / Double(work.operations)
    times[yardstick, default: []].append(time)
    return time
  }

  /// A time as a multiple of every yardstick that was timed.
  func multiples(of time: Double) -> [Yardstick: Double] {
    times.mapValues { time / Samples($0).minimum }
  }

  /// All yardsticks that were timed, as measurements of their own.
  func measurements() -> [Measurement] {
    Yardstick.allCases.compactMap { yardstick in
      guard let times = times[yardstick] else { return nil }
      let samples = Samples(times)
      return Measurement(
        name: "yardstick/\(yardstick.rawValue)", median: samples.median,
        minimum: samples.minimum, p90: samples.p90, sampleCount: samples.count,
        yardstick: .dictionaryLookup, multiples: multiples(of: samples.minimum))
    }
  }

  /// Samples of all of them, so that every case has all multiples.
  func sampleAll() throws {
    for yardstick in Yardstick.allCases {
      for _ in 0..<effort.minimumSamples { _ = try sample(yardstick) }
    }
  }

  private func prepare(_ yardstick: Yardstick) throws -> Work {
    let run = try Self.work(yardstick)
    var operations = 1
    var time = 0.0
    repeat {
      operations *= time == 0 ? 1 : 2
      let start = ContinuousClock.now
      try run(operations)
      time = (ContinuousClock.now - start).nanoseconds
    } while time < effort.sample.nanoseconds / 8
    let work = Work(operations: operations, run: run)
    works[yardstick] = work
    return work
  }

  private static func work(_ yardstick: Yardstick) throws -> (Int) throws -> Void {
    switch yardstick {
    case .dictionaryLookup: return dictionaryLookup()
    case .lock: return lock()
    case .memcpy: return memcpy(Payloads.todos(10_000))
    case .jsonSerialization: return serialization(Payloads.todos(10_000))
    case .jsonSerializationSmall: return serialization(Payloads.post(1))
    case .jsonDecoder: return decoder(of: TodosData.self, Payloads.todos(10_000))
    case .jsonDecoderSmall: return decoder(of: PostData.self, Payloads.post(1))
    }
  }
}

// MARK: - The work

extension Yardsticks {
  private static func dictionaryLookup() -> (Int) throws -> Void {
    let keys = (0..<1000).map { "Todo:\($0)" }
    let table = Dictionary(uniqueKeysWithValues: zip(keys, 0...))
    let order = keys.shuffled()
    return { operations in
      var sum = 0
      var next = 0
      for _ in 0..<operations {
        sum &+= table[order[next]] ?? 0
        next = next == 999 ? 0 : next + 1
      }
      use(sum)
    }
  }

  private static func lock() -> (Int) throws -> Void {
    let lock = NSLock()
    return { operations in
      var sum = 0
      for _ in 0..<operations {
        lock.lock()
        sum &+= 1
        lock.unlock()
      }
      use(sum)
    }
  }

  private static func memcpy(_ bytes: [UInt8]) -> (Int) throws -> Void {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 64)
    let target = CopyTarget(copy)
    return { operations in
      for _ in 0..<operations {
        bytes.withUnsafeBytes { target.buffer.copyMemory(from: $0) }
        use(target.buffer[bytes.count - 1])
      }
    }
  }

  private static func serialization(_ bytes: [UInt8]) -> (Int) throws -> Void {
    let data = Data(bytes)
    return { operations in
      for _ in 0..<operations {
        use(try JSONSerialization.jsonObject(with: data))
      }
    }
  }

  private static func decoder<Value: Decodable & Sendable>(
    of type: Value.Type, _ bytes: [UInt8]
  ) -> (Int) throws -> Void {
    let data = Data(bytes)
    return { operations in
      let decoder = JSONDecoder()
      for _ in 0..<operations {
        use(try decoder.decode(Response<Value>.self, from: data))
      }
    }
  }
}

/// Memory that goes with the closure that uses it.
private final class CopyTarget {
  let buffer: UnsafeMutableRawBufferPointer

  init(_ buffer: UnsafeMutableRawBufferPointer) {
    self.buffer = buffer
  }

  deinit {
    buffer.deallocate()
  }
}
