import Foundation
import Weir

/// The figures of a run as a file: an object with a list of `cases` and a list of `memory`.
struct ResultFile: Codable {
  struct Case: Codable {
    let name: String
    let medianNanoseconds: Double
    let minNanoseconds: Double
    let p90Nanoseconds: Double
    let samples: Int
    /// The time as a multiple of each yardstick, by the yardstick's name.
    let multiples: [String: Double]
    /// The counts for each operation, by name.
    var counts: [String: Double]?
  }

  /// The memory that something takes.
  struct Memory: Codable {
    let name: String
    let bytesEach: Double
    let unit: String
  }

  let cases: [Case]
  var memory: [Memory]?

  init(_ report: Report) {
    memory = report.memory.map { item in
      Memory(name: item.name, bytesEach: item.bytesEach, unit: item.unit)
    }
    cases = report.measurements.map { measurement in
      Case(
        name: measurement.name, medianNanoseconds: measurement.median,
        minNanoseconds: measurement.minimum, p90Nanoseconds: measurement.p90,
        samples: measurement.sampleCount,
        multiples: Dictionary(
          uniqueKeysWithValues: measurement.multiples.map { ($0.key.name, $0.value) }),
        counts: measurement.counts.map { counts in
          Dictionary(uniqueKeysWithValues: counts.byName.map { ($0.name, $0.count) })
        })
    }
  }

  init(reading file: String) throws(UsageError) {
    guard let bytes = FileManager.default.contents(atPath: file) else {
      throw UsageError("The file \(file) cannot be read.")
    }
    do {
      self = try JSON(parsing: Array(bytes)).decode()
    } catch {
      throw UsageError("The file \(file) was not written by --json: \(error)")
    }
  }

  var bytes: [UInt8] {
    get throws { try JSON.encode(self, options: JSONEncodeOptions(sortsKeys: false)) + [0x0A] }
  }
}
