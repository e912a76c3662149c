import Foundation

/// Work that every Swift programmer knows, done without Weir, on the same machine in the same run.
///
/// A time says something about a machine; a multiple of such work says something about a program. A
/// case uses the yardstick that is as large as itself.
enum Yardstick: Hashable, Comparable {
  /// Finding a value in a `[String: Int]` of 1,000 keys such as `Todo:123`.
  case lookUp
  /// `JSONSerialization` of a list with this number of items; 1 means one post.
  case jsonSerialization(Int)
  /// `JSONDecoder` of a list with this number of items into structs; 1 means one post.
  case jsonDecoder(Int)

  /// The name in the table.
  var title: String {
    switch self {
    case .lookUp: "look-up"
    case .jsonSerialization(let items): "JSONSerialization of \(items)"
    case .jsonDecoder(let items): "JSONDecoder of \(items)"
    }
  }

  /// The name in files.
  var name: String {
    switch self {
    case .lookUp: "lookUp"
    case .jsonSerialization(let items): "jsonSerialization/\(items)"
    case .jsonDecoder(let items): "jsonDecoder/\(items)"
    }
  }

  /// A description of the work.
  var explanation: String {
    switch self {
    case .lookUp: "a look-up in a [String: Int] of 1,000 keys such as Todo:123"
    case .jsonSerialization(let items):
      "JSONSerialization of \(Self.payload(items)), \(bytes.count) bytes"
    case .jsonDecoder(let items):
      "JSONDecoder of \(Self.payload(items)), \(bytes.count) bytes, into structs"
    }
  }

  private static func payload(_ items: Int) -> String {
    items == 1 ? "one post" : "a list of \(items) items"
  }

  fileprivate var bytes: [UInt8] {
    switch self {
    case .lookUp: []
    case .jsonSerialization(1), .jsonDecoder(1): Payloads.post(1)
    case .jsonSerialization(let items), .jsonDecoder(let items): Payloads.todos(items)
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

  /// Takes one sample and returns nanoseconds per operation. The first time, the work is warmed up
  /// before.
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
    times.sorted { $0.key < $1.key }.map { yardstick, times in
      let samples = Samples(times)
      return Measurement(
        name: "yardstick/\(yardstick.name)", median: samples.median,
        minimum: samples.minimum, p90: samples.p90, sampleCount: samples.count,
        yardstick: .lookUp, multiples: multiples(of: samples.minimum))
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
    case .lookUp: lookUp()
    case .jsonSerialization: serialization(yardstick.bytes)
    case .jsonDecoder(1): decoder(of: PostData.self, yardstick.bytes)
    case .jsonDecoder: decoder(of: TodosData.self, yardstick.bytes)
    }
  }
}

// MARK: - The work

extension Yardsticks {
  private static func lookUp() -> (Int) throws -> Void {
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
