import CAllocationCount

/// Counts how often memory is allocated. Counts, unlike times, are the same in every run.
enum AllocationCount {
  /// Only on Linux with glibc.
  static var isAvailable: Bool { weir_counts_allocations() }

  /// How many blocks of memory are allocated while `body` runs, by all threads.
  static func during(_ body: () async throws -> Void) async throws -> UInt64 {
    weir_start_counting_allocations()
    do {
      try await body()
    } catch {
      _ = weir_stop_counting_allocations()
      throw error
    }
    return weir_stop_counting_allocations()
  }

  /// How many bytes are allocated at the moment; nil where that is not known.
  static var bytesInUse: Int? {
    let bytes = weir_allocated_bytes()
    return bytes == 0 ? nil : Int(bytes)
  }
}
