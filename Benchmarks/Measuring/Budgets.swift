import Weir

/// The number of allocations that an operation may make, by the name of the case, from
/// `Budgets.json`.
///
/// A run fails if a case exceeds its budget. A change that needs more allocations changes the file.
struct Budgets: Sendable {
  /// A case that exceeded its budget.
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

  /// The budgets in the repository.
  static func committed() throws -> Budgets {
    let file = try JSON(parsing: PackageResources.Budgets_json)
    return Budgets(allocations: try file.decode([String: Double].self))
  }

  func budget(of name: String) -> Double? {
    allocations[name]
  }

  /// Returns the cases that exceed their budgets. A hundredth is tolerated: things that are created
  /// once, lazily, are spread over many operations.
  func excesses(in measurements: [Measurement]) -> [Excess] {
    measurements.compactMap { measurement in
      guard let counted = measurement.allocations, let budget = allocations[measurement.name],
        counted > budget + 0.01
      else { return nil }
      return Excess(name: measurement.name, allocations: counted, budget: budget)
    }
  }
}
