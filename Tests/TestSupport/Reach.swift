/// Takes elements until one fits, and returns it; nil if there is none before the end.
///
/// A stream also ends when the test is cancelled, such as by its time limit. A loop that only looked for
/// its element would then go on for ever.
package func reach<Element>(
  _ next: () async throws -> Element?, until fits: (Element) -> Bool
) async rethrows -> Element? {
  while let element = try await next() {
    if fits(element) { return element }
  }
  return nil
}
