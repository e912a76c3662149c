import Weir

/// How many allocations an operation may make: `Budgets.json`, by the name of the case.
///
/// A run fails when one is passed. A change that needs more says so by changing the file.
struct Budgets: Sendable {
  /// A budget that was passed.
  struct Excess: CustomStringConvertible {
    let name: String
    let allocations: Double
    let budget: Double

    var description: String {
      "\(name): \(allocations.formatted(digits: 2)) allocations per operation, "
        + "budget \(budget.formatted(digits: 2))"
    }
  }

  private let allocations: [String: Double]

  /// The committed ones.
  static func committed() throws -> Budgets {
    let file = try JSON(parsing: PackageResources.Budgets_json)
    return Budgets(allocations: try file.decode([String: Double].self))
  }

  func budget(of name: String) -> Double? {
    allocations[name]
  }

  /// Those that are passed. What a lazily made thing costs once is spread over many operations,
  /// hence the hundredth.
  func excesses(in measurements: [Measurement]) -> [Excess] {
    measurements.compactMap { measurement in
      guard let counted = measurement.allocations, let budget = allocations[measurement.name],
        counted > budget + 0.01
      else { return nil }
      return Excess(name: measurement.name, allocations: counted, budget: budget)
    }
  }
}
