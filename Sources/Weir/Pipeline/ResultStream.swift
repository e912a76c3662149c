/// The results of one execution of one operation.
///
/// Cold: nothing runs until it is iterated, and each iteration executes anew. It never throws;
/// failures are results with an ``OperationResult/error``. Leaving the loop, or cancelling its
/// task, ends the work behind it.
///
/// An exchange makes one in the cheapest way that fits:
///
/// | | runs | costs |
/// |---|---|---|
/// | ``just(_:)-(OperationResult)`` | nothing | no task, no executor hop |
/// | ``starting(with:then:)`` | the second part | no task unless the second part has one |
/// | ``map(_:)`` | a closure per result | no task |
/// | ``init(_:)-((Yield)->Void)`` with a body | the body | one task, cancelled with the consumer |
///
/// Iteration keeps the caller's isolation: a result that is there already never leaves the main
/// actor.
public struct ResultStream: AsyncSequence, Sendable {
  /// What the stream delivers.
  public typealias Element = OperationResult
  /// It never throws.
  public typealias Failure = Never

  enum Content: Sendable {
    case just(OperationResult)
    case results([OperationResult])
    case starting([OperationResult], then: @Sendable () -> ResultStream)
    case deferred(@Sendable () -> ResultStream)
    case source(@Sendable () -> sending ResultSource)
  }

  let content: Content

  init(content: Content) {
    self.content = content
  }

  package init(source: @escaping @Sendable () -> sending ResultSource) {
    content = .source(source)
  }

  /// A stream whose results are yielded by `body`, which runs in one task of its own for each
  /// iteration. The task is cancelled when the consumer leaves. An error that it throws becomes a
  /// last result with that error.
  public init(_ body: @escaping @Sendable (Yield) async throws -> Void) {
    content = .source { TaskSource(body) }
  }

  /// A stream of what another asynchronous sequence delivers.
  public init<Base: AsyncSequence & Sendable>(_ base: Base)
  where Base.Element == OperationResult, Base.Failure == Never {
    content = .source { SequenceSource(base) }
  }

  /// One result that is there already.
  public static func just(_ result: consuming OperationResult) -> ResultStream {
    ResultStream(content: .just(result))
  }

  /// Results that are there already.
  public static func just(_ results: [OperationResult]) -> ResultStream {
    ResultStream(content: .results(results))
  }

  /// Results that are there already, then more. The second part is started when the first result
  /// is asked for, so that a request leaves while the consumer still looks at what is there.
  public static func starting(
    with results: [OperationResult], then more: @escaping @Sendable () -> ResultStream
  ) -> ResultStream {
    ResultStream(content: .starting(results, then: more))
  }

  /// A stream that is made when it is iterated, each time anew. It has no ``immediate``.
  package static func deferred(_ make: @escaping @Sendable () -> ResultStream) -> ResultStream {
    ResultStream(content: .deferred(make))
  }

  /// The first result, if it needs no suspension.
  @inline(__always)
  public var immediate: OperationResult? {
    switch content {
    case .just(let result): result
    case .results(let results): results.first
    case .starting(let results, _): results.first
    case .deferred, .source: nil
    }
  }

  /// Applies a synchronous closure to each result. On results that are there already it runs at
  /// once, on others when they are delivered.
  public func map(
    _ transform: @escaping @Sendable (OperationResult) -> OperationResult
  ) -> ResultStream {
    switch content {
    case .just(let result):
      .just(transform(result))
    case .results(let results):
      .just(results.map(transform))
    case .starting(let results, let more):
      .starting(with: results.map(transform)) { more().map(transform) }
    case .deferred(let make):
      .deferred { make().map(transform) }
    case .source(let make):
      ResultStream(source: { MapSource(make(), transform) })
    }
  }

  /// Starts an iteration; nothing runs before its first `next()`.
  public func makeAsyncIterator() -> Iterator {
    Iterator(content)
  }
}

extension ResultStream {
  /// Starts an iteration whose work begins at once, not when its first result is asked for.
  package func makeStartedIterator() -> Iterator {
    switch content {
    case .just, .results:
      return makeAsyncIterator()
    case .starting(let results, let more):
      return Iterator(
        phase: .started(results[...], then: IteratorSource(more().makeStartedIterator())))
    case .deferred(let make):
      return make().makeStartedIterator()
    case .source(let make):
      let source = make()
      if source.startsByItself {
        source.start()
        return Iterator(phase: .source(source))
      }
      let ahead = TaskSource { yield in await yield.all(self) }
      ahead.start()
      return Iterator(phase: .source(ahead))
    }
  }

  /// One iteration of a ``ResultStream``.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate enum Phase {
      case just(OperationResult)
      case results(ArraySlice<OperationResult>)
      case starting([OperationResult], then: @Sendable () -> ResultStream)
      case started(ArraySlice<OperationResult>, then: ResultSource)
      case source(ResultSource)
      case ended
    }

    private var phase: Phase

    fileprivate init(phase: Phase) {
      self.phase = phase
    }

    fileprivate init(_ content: Content) {
      switch content {
      case .just(let result): phase = .just(result)
      case .results(let results): phase = .results(results[...])
      case .starting(let results, let more): phase = .starting(results, then: more)
      case .deferred(let make): phase = .source(DeferredSource(make))
      case .source(let make): phase = .source(make())
      }
    }

    /// The next result, or nil at the end, and when the task is cancelled.
    public mutating func next(isolation: isolated (any Actor)?) async -> OperationResult? {
      // Nothing else is kept while it waits, which a watch may do for as long as the app runs.
      switch step() {
      case .done(let result): result
      case .waiting(let source): await source.next(isolation: isolation)
      }
    }

    private enum Step {
      case done(OperationResult?)
      case waiting(for: ResultSource)
    }

    /// The next result if it is there already, else where it comes from.
    private mutating func step() -> Step {
      switch phase {
      case .just(let result):
        phase = .ended
        return .done(result)
      case .results(var results):
        let result = results.popFirst()
        phase = .results(results)
        return .done(result)
      case .starting(let results, let more):
        phase = .started(results[...], then: IteratorSource(more().makeStartedIterator()))
        return step()
      case .started(var results, let rest):
        if let result = results.popFirst() {
          phase = .started(results, then: rest)
          return .done(result)
        }
        phase = .source(rest)
        return .waiting(for: rest)
      case .source(let source):
        return .waiting(for: source)
      case .ended:
        return .done(nil)
      }
    }
  }
}

@available(*, unavailable)
extension ResultStream.Iterator: Sendable {}

/// Makes its stream at the first `next()`, so that what it finds is never older than the iteration.
private final class DeferredSource: ResultSource {
  private let make: @Sendable () -> ResultStream
  private var iterator: ResultStream.Iterator?

  init(_ make: @escaping @Sendable () -> ResultStream) {
    self.make = make
  }

  override func next(isolation: isolated (any Actor)?) async -> OperationResult? {
    if iterator == nil { iterator = make().makeAsyncIterator() }
    return await iterator?.next(isolation: isolation)
  }
}

/// An iteration inside another one.
final class IteratorSource: ResultSource {
  private var iterator: ResultStream.Iterator

  init(_ iterator: ResultStream.Iterator) {
    self.iterator = iterator
  }

  override func next(isolation: isolated (any Actor)?) async -> OperationResult? {
    await iterator.next(isolation: isolation)
  }
}
