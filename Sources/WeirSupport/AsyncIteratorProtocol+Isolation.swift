extension AsyncIteratorProtocol {
  /// Returns the next element of any iterator, in the caller's isolation where the system can.
  package mutating func nextElement(isolation: isolated (any Actor)?) async throws -> Element? {
    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
      return try await next(isolation: isolation)
    }
    // Proof: the caller waits for the call and nothing else uses the iterator meanwhile, so it is
    // never used from two isolations at once.
    nonisolated(unsafe) var iterator = self
    defer { self = iterator }
    return try await iterator.next()
  }
}
