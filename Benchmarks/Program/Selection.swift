/// The cases that the options select.
struct Selection {
  private let timed: [BenchmarkCase]
  private let memory: [MemoryCase]

  init(_ options: Options) throws(UsageError) {
    let leavesOutSlow = options.isQuick && options.filters.isEmpty
    let (allTimed, allMemory) = (AllCases.timed, AllCases.memory)
    let all = Set(allTimed.map(\.name) + allMemory.map(\.name))
    timed = allTimed.filter {
      options.includes($0.name, among: all) && !($0.isSlow && leavesOutSlow)
    }
    memory = allMemory.filter {
      options.includes($0.name, among: all) && !($0.isSlow && leavesOutSlow)
    }
    if names.isEmpty {
      throw UsageError("No case matches the filters; --list prints the names.")
    }
  }

  var names: [String] { timed.map(\.name) + memory.map(\.name) }

  /// Repeats the work of each timed case for a while, and prints the number of operations.
  func profile(for duration: Duration) async throws {
    for item in timed {
      let workload = try await item.prepare()
      let batch = workload.reset == nil ? 100 : workload.batch
      var operations = 0
      let start = ContinuousClock.now
      while ContinuousClock.now - start < duration {
        try await workload.reset?()
        try await workload.run(batch)
        operations += batch
      }
      await workload.tearDown()
      print("\(item.name): \(operations) operations")
    }
  }

  /// Measures one case after another.
  func measure(_ effort: Effort) async throws -> Report {
    let budgets = try Budgets.committed()
    let unknown = budgets.unknown(amongCases: AllCases.timed.map(\.name))
    if !unknown.isEmpty {
      throw WrongAnswer(description: "Budgets.json has no case or count for \(unknown)")
    }
    let yardsticks = Yardsticks(effort: effort)
    let harness = Harness(effort: effort, yardsticks: yardsticks)
    var progress = Progress(total: names.count)
    defer { progress.end() }
    // Memory comes first, before other cases leave fragments behind.
    var memory: [MemoryMeasurement] = []
    for item in self.memory {
      progress.show(item.name)
      if let measurement = try await item.measure() { memory.append(measurement) }
    }
    var measurements: [Measurement] = []
    for item in timed {
      progress.show(item.name)
      do {
        var measurement = try await harness.measure(item)
        if measurement.counts != nil { measurement.chain = try await harness.chainCount(of: item) }
        measurements.append(measurement)
      } catch {
        throw WrongAnswer(description: "\(item.name): \(error)")
      }
    }
    return Report(
      yardsticks: yardsticks.measurements(), cases: measurements, memory: memory,
      budgets: budgets)
  }
}
