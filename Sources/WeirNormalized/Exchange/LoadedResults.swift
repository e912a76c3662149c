import Weir

/// One execution that memory cannot answer: what the storage has is brought into memory first.
struct LoadedResults: AsyncSequence, Sendable {
  typealias Element = OperationResult
  typealias Failure = Never

  let store: NormalizedStore
  let operation: GraphQLOperation
  /// What to go on with then.
  let results: @Sendable () -> ResultStream

  func makeAsyncIterator() -> Iterator { Iterator(loading: self) }

  struct Iterator: AsyncIteratorProtocol {
    let loading: LoadedResults
    private var results: ResultStream.Iterator?

    init(loading: LoadedResults) {
      self.loading = loading
    }

    mutating func next(isolation: isolated (any Actor)?) async -> OperationResult? {
      if results == nil {
        await loading.store.load(ReadTarget(loading.operation))
        results = loading.results().makeAsyncIterator()
      }
      return await results?.next(isolation: isolation)
    }
  }
}
