extension Task where Success == Void, Failure == Never {
  /// A task that runs on the calling thread until it first suspends, where the system can do that.
  static func startingHere(
    _ body: @escaping @Sendable () async -> Void
  ) -> Task<Void, Never> {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      return Task.immediate { await body() }
    }
    return Task { await body() }
  }
}
