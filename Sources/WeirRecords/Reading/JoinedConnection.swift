/// How the pages of one connection, or of another list whose pages are objects, are shown as one.
///
/// Finding it out takes several times as long as copying a result in which one element has changed. So a
/// later read takes it over as long as none of the pages and edges has changed.
struct JoinedConnection: Sendable {
  struct Page: Equatable, Sendable {
    let field: FieldID
    let record: RecordReference
  }

  /// The objects to join.
  struct Sources: Equatable, Sendable {
    let owner: RecordReference
    let own: FieldID
    /// All objects that may be pages of the list.
    let candidates: [Page]
    /// The fields that the selection reads of a page.
    let names: [String]
  }

  /// The elements of the run's pages.
  struct List: Sendable {
    var elements: ContiguousArray<Cell> = []
    /// Those of the requested page.
    var own: Set<UInt64> = []
  }

  let sources: Sources
  /// The headers of the candidates.
  let headers: [UInt64]
  /// The candidates that are pages.
  let pages: [Page]
  /// The requested page.
  let own: RecordReference
  /// The pages that are shown together.
  let run: [FieldID]
  /// Their records, last changed first.
  let newestFirst: [RecordReference]
  /// The pages with which the run begins and ends, last changed first.
  let firstPages: [RecordReference]
  let lastPages: [RecordReference]
  /// By their fields.
  let lists: [String: List]
  /// The dependencies of all this beside the pages.
  let others: OtherDependencies

  /// Whether it holds for what is there now.
  func isCurrent(for sources: Sources, in state: RecordState) -> Bool {
    self.sources == sources
      && zip(sources.candidates, headers).allSatisfy {
        state.headerIfPresent($0.record) == $1
      }
      && others.areUnseenCurrent(in: state)
  }
}
