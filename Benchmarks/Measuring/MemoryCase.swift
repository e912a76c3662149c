/// How much memory something takes, by what `malloc` has given out.
struct MemoryCase {
  /// A path, such as `memory/document result typed`.
  let name: String
  /// How many of the measured things there are.
  let count: Int
  /// The name of one of them.
  let unit: String
  /// Whether a quick run leaves it out, unless it is asked for by name.
  var isSlow = false
  /// The number of todos in the JSON that they come from, if its size is a useful comparison.
  var todos: Int?
  /// Makes the things that the measured ones are added to; their memory is subtracted.
  var makeBaseline: (() async throws -> Any)?
  /// Makes them, and returns what keeps them alive.
  let make: () async throws -> Any
}

/// The memory that a case takes.
struct MemoryMeasurement {
  let name: String
  let bytesEach: Double
  /// The memory that is still allocated after everything was released.
  let remainderEach: Double
  let unit: String
  /// The memory as a multiple of the JSON's size.
  var multipleOfJSON: Double?
}

extension MemoryCase {
  /// Nil if the system does not say how much memory is allocated.
  func measure() async throws -> MemoryMeasurement? {
    let baseline = try await bytes(of: makeBaseline)
    guard let whole = try await bytes(of: make) else { return nil }
    let held = max(0, whole.held - (baseline?.held ?? 0))
    return MemoryMeasurement(
      name: name, bytesEach: Double(held) / Double(count),
      remainderEach: Double(max(0, whole.rest)) / Double(count), unit: unit,
      multipleOfJSON: todos.map { Double(held) / Double(Payloads.todosCount($0)) })
  }

  /// Returns the memory that something holds, and the part of it that its release does not free.
  private func bytes(
    of make: (() async throws -> Any)?
  ) async throws -> (held: Int, rest: Int)? {
    guard let make else { return nil }
    // The first time also allocates things that are created lazily and stay.
    _ = try await held(make)
    await settle()
    guard let before = Counts.bytesInUse, let held = try await held(make) else {
      return nil
    }
    await settle()
    return (held - before, (Counts.bytesInUse ?? before) - before)
  }

  /// Lets cancelled tasks end.
  private func settle() async {
    for _ in 0..<10_000 { await Task.yield() }
  }

  /// A function of its own, because everything is released at its end.
  @inline(never)
  private func held(_ make: () async throws -> Any) async throws -> Int? {
    let made = try await make()
    await settle()
    let bytes = Counts.bytesInUse
    withExtendedLifetime(made) {}
    return bytes
  }
}
