extension Task where Success == Void, Failure == Never {
  /// Returns a task that runs on the calling thread until it first suspends, if the system supports
  /// that; otherwise an ordinary one.
  @inlinable
  package static func startingHere(
    _ body: sending @escaping @isolated(any) () async -> Void
  ) -> Task<Void, Never> {
    #if !WEIR_DEFERRED_TASKS
      if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
        return Task.immediate(operation: body)
      }
    #endif
    return Task(operation: body)
  }
}
