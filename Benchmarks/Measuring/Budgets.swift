import Weir

/// The limits of an operation, by the name of the case, from `Budgets.json`: a number of allocations,
/// or an object with numbers of `allocations`, `locks`, `tasks`, `resumes`, and `enqueues`.
///
/// A run fails if a case exceeds its budget. A change that needs more changes the file.
struct Budgets: Sendable {
  private let budgets: [String: [String: Double]]

  /// The budgets in the repository.
  static func committed() throws -> Budgets {
    let file = try JSON(parsing: PackageResources.Budgets_json)
    var budgets: [String: [String: Double]] = [:]
    for (name, budget) in file.members {
      budgets[name] = try budget.double.map { ["allocations": $0] } ?? budget.decode()
    }
    return Budgets(budgets: budgets)
  }

  /// Returns the number that a case may have of something, such as allocations.
  func budget(of name: String, for kind: String) -> Double? {
    budgets[name]?[kind]
  }

  /// The budgets that nothing is compared with: of unknown cases or of unknown things.
  func unknown(amongCases names: [String]) -> [String] {
    budgets.sorted { $0.key < $1.key }.flatMap { name, budget in
      budget.keys.sorted().filter { !names.contains(name) || !Counts.names.contains($0) }
        .map { "\(name): \($0)" }
    }
  }

  /// Returns the cases that exceed their budgets. A hundredth is tolerated: things that are created
  /// once, lazily, are spread over many operations.
  func excesses(in measurements: [Measurement]) -> [String] {
    measurements.flatMap { measurement in
      (measurement.counts?.byName ?? []).compactMap { kind, count in
        guard let budget = budget(of: measurement.name, for: kind), count > budget + 0.01 else {
          return nil
        }
        return "\(measurement.name): \(count.formatted(digits: 2)) \(kind) per operation, "
          + "budget \(budget.formatted(digits: 2))"
      }
    }
  }
}
