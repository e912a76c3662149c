package import Testing

/// Waits until `condition` holds, while other tasks run. Use it for conditions that nothing reports, such
/// as an object's release.
///
/// If the test is cancelled, such as by its time limit, the wait ends and the test has an issue. A loop
/// without that check would go on forever, because yielding ignores cancellation.
package func eventually(
  _ condition: () async throws -> Bool, sourceLocation: SourceLocation = #_sourceLocation
) async rethrows {
  while try await !condition() {
    if Task.isCancelled {
      Issue.record(
        "The condition did not hold before the wait ended.", sourceLocation: sourceLocation)
      return
    }
    await Task.yield()
  }
}
