import CAllocationCount

/// Counts how often memory is allocated. Counts, unlike times, are the same in every run.
enum AllocationCount {
  /// True only on Linux with glibc.
  static var isAvailable: Bool { weir_counts_allocations() }

  /// Returns the number of blocks of memory that all threads allocate while `body` runs.
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

  /// The number of bytes that are allocated now; nil if the system does not say.
  static var bytesInUse: Int? {
    let bytes = weir_allocated_bytes()
    return bytes == 0 ? nil : Int(bytes)
  }
}
