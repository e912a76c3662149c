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
      if results == nil { results = await load() }
      return await results?.next(isolation: isolation)
    }

    private func load() async -> ResultStream.Iterator {
      // What others write must not make memory let go of it before it is read.
      let pin = loading.store.pin(loading.operation)
      await loading.store.load(ReadTarget(loading.operation))
      return withExtendedLifetime(pin) { loading.results().makeAsyncIterator() }
    }
  }
}
