/// Times workloads.
///
/// Machines are noisy, and a disturbance lasts for seconds. Therefore each case's yardstick is
/// timed in alternation with it, and a multiple is the ratio of two minima from the same seconds.
struct Harness {
  let effort: Effort
  let yardsticks: Yardsticks

  /// Prepares a case, measures it, and ends what it began.
  func measure(_ benchmark: BenchmarkCase) async throws -> Measurement {
    try await using(benchmark.prepare) { workload in
      guard let prepareFloor = benchmark.floor else {
        return try await measure(workload, beside: nil, of: benchmark)
      }
      return try await using(prepareFloor) { floor in
        try await measure(workload, beside: floor, of: benchmark)
      }
    }
  }

  /// Prepares a counted case again, and counts how often it executes the chain.
  func chainCount(of benchmark: BenchmarkCase) async throws -> ChainCount? {
    try await ChainCount.noting {
      try await using(benchmark.prepare) { workload in
        let operations = workload.reset == nil ? effort.countedOperations : workload.batch
        try await workload.reset?()
        // Things that are created lazily are not counted.
        if workload.reset == nil { try await workload.run(1) }
        return try await ChainCount.during(operations) { try await workload.run(operations) }
      }
    }
  }

  /// Prepares a workload, measures something with it, checks it, and ends what it began.
  private func using<Value>(
    _ prepare: () async throws -> Workload, _ measure: (Workload) async throws -> Value
  ) async throws -> Value {
    let workload = try await prepare()
    do {
      let value = try await measure(workload)
      try await workload.check()
      await workload.tearDown()
      return value
    } catch {
      await workload.tearDown()
      throw error
    }
  }

  private func measure(
    _ workload: Workload, beside floor: Workload?, of benchmark: BenchmarkCase
  ) async throws -> Measurement {
    let operations = try await warmUp(workload)
    var floorOperations = 0
    if let floor { floorOperations = try await warmUp(floor) }
    var floors: [Double] = []
    var times: [Double] = []
    var baseline: [Double] = []
    var yardstick: [Double] = []
    let start = ContinuousClock.now
    while isWorthMore(times.count, since: start) {
      times.append(try await time(workload, operations))
      if let floor { floors.append(try await time(floor, floorOperations)) }
      if let run = workload.baseline {
        baseline.append(try await time(run, operations) / Double(operations))
      }
      if yardstick.count < 3 || yardstick.reduce(0, +) < effort.limit.nanoseconds {
        yardstick.append(try yardsticks.sample(benchmark.yardstick))
      }
    }
    let counts = try await counts(of: workload)
    let samples = Samples(workload.latencies?() ?? times)
    let taken = Samples(baseline)
    let minimum = max(0, samples.minimum - taken.minimum)
    var multiples = yardsticks.multiples(of: minimum)
    multiples[benchmark.yardstick] = minimum / Samples(yardstick).minimum
    return Measurement(
      name: benchmark.name, median: max(0, samples.median - taken.median), minimum: minimum,
      p90: max(0, samples.p90 - taken.median), sampleCount: samples.count,
      yardstick: benchmark.yardstick, multiples: multiples, parts: workload.parts,
      rate: workload.rate,
      counts: counts, scaling: benchmark.scaling, floor: floors.min())
  }

  private func isWorthMore(_ count: Int, since start: ContinuousClock.Instant) -> Bool {
    if count < effort.minimumSamples { return true }
    return count < effort.samples && ContinuousClock.now - start < effort.limit
  }

  /// Takes one sample and returns nanoseconds per operation.
  private func time(_ workload: Workload, _ operations: Int) async throws -> Double {
    try await workload.reset?()
    _ = workload.stopwatch?.take()
    let whole = try await time(workload.run, operations)
    return (workload.stopwatch?.take().nanoseconds ?? whole) / Double(operations)
  }

  private func time(
    _ run: (Int) async throws -> Void, _ operations: Int
  ) async throws -> Double {
    let start = ContinuousClock.now
    try await run(operations)
    return (ContinuousClock.now - start).nanoseconds
  }

  /// Does the work until caches, branch predictors and lazily created things are warm.
  ///
  /// - Returns: how many operations make a sample.
  private func warmUp(_ workload: Workload) async throws -> Int {
    let start = ContinuousClock.now
    var operations = workload.reset == nil ? 1 : workload.batch
    while true {
      let round = ContinuousClock.now
      _ = try await time(workload, operations)
      let perOperation = (ContinuousClock.now - round).nanoseconds / Double(operations)
      try await workload.baseline?(operations)
      let isWarm = ContinuousClock.now - start >= effort.warmUp
      if workload.reset != nil {
        if isWarm { return operations }
        continue
      }
      let enough = max(1, Int(effort.sample.nanoseconds / max(perOperation, 0.1)))
      if isWarm { return enough }
      operations = min(enough, operations * 8)
    }
  }

  private func counts(of workload: Workload) async throws -> Counts? {
    guard workload.isCounted, Counts.areAvailable else { return nil }
    let operations = workload.reset == nil ? effort.countedOperations : workload.batch
    try await workload.reset?()
    return try await Counts.during(operations) { try await workload.run(operations) }
  }
}

extension Duration {
  var nanoseconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) * 1e9 + Double(attoseconds) / 1e9
  }
}
