/// The ends of a run of pages where a page has said that nothing precedes or follows it, and when.
///
/// An older page beyond such an end is out of date; a newer one shows that the list has grown.
struct ClaimedEnds {
  private typealias Claim = (node: Int, at: UInt64)

  private var start: Claim?
  private var end: Claim?

  /// A page has been inserted; `nodes` are the first and the last one of the page.
  mutating func note(
    _ page: CursorPage, _ nodes: (first: Int?, last: Int?), of run: (first: Int, last: Int)
  ) {
    guard let at = page.endedAt else { return }
    if page.isBackward, nodes.first == run.first {
      start = (run.first, max(at, claim(before: run.first) ?? 0))
    } else if !page.isBackward, nodes.last == run.last {
      end = (run.last, max(at, claim(behind: run.last) ?? 0))
    }
  }

  /// Whether a page is older than the claim that nothing precedes a node.
  func isOver(_ page: CursorPage, before node: Int) -> Bool {
    claim(before: node).map { page.version < $0 } ?? false
  }

  /// Whether a page is older than the claim that nothing follows a node.
  func isOver(_ page: CursorPage, behind node: Int) -> Bool {
    claim(behind: node).map { page.version < $0 } ?? false
  }

  private func claim(before node: Int) -> UInt64? { start?.node == node ? start?.at : nil }

  private func claim(behind node: Int) -> UInt64? { end?.node == node ? end?.at : nil }
}
