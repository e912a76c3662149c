/// The results of one execution of one operation, as an asynchronous sequence.
///
/// A stream is cold: nothing runs until it is iterated, and each iteration executes again. It never
/// throws; a failure is a result with an ``OperationResult/error``. Leaving the loop, or cancelling
/// its task, ends the work behind it.
///
/// In an exchange of your own, choose the cheapest way that fits:
///
/// | | runs | costs |
/// |---|---|---|
/// | ``just(_:)-(OperationResult)`` | nothing | no task, no executor hop |
/// | ``starting(with:then:)`` | the second part | one task, unless the second part is a body or ``just(_:)-(OperationResult)`` |
/// | ``map(_:)`` | a closure per result | no task |
/// | ``deferred(_:)`` | a closure per iteration, then its stream | no task unless that stream has one |
/// | ``init(_:)-(Base)`` with a sequence | the sequence | no task unless the sequence has one |
/// | ``init(_:)-((Yield)->Void)`` with a body | the body | one task, cancelled with the consumer |
///
/// Iteration keeps the caller's isolation: a cached result never leaves the main actor.
public struct ResultStream: AsyncSequence, Sendable {
  /// One result.
  public typealias Element = OperationResult
  /// Streams never throw.
  public typealias Failure = Never

  enum Content: Sendable {
    case just(OperationResult)
    case results([OperationResult])
    case starting([OperationResult], then: @Sendable () -> ResultStream)
    /// Made when it is iterated.
    case deferred(@Sendable () -> ResultStream)
    /// Made when it is iterated, after waiting for something that takes no request: a cache's storage.
    case awaiting(@Sendable () async -> ResultStream)
    case source(@Sendable () -> sending ResultSource)
    /// Made with the tags of the flight that it is shared in, if there is one.
    case shareable(@Sendable (SharedRequest?) -> sending ResultSource)
  }

  let content: Content

  init(content: Content) {
    self.content = content
  }

  init(source: @escaping @Sendable () -> sending ResultSource) {
    content = .source(source)
  }

  /// Creates a stream whose results `body` yields. The body runs in one task of its own for each
  /// iteration, which is cancelled when the consumer leaves. An error that the body throws becomes
  /// the last result.
  public init(_ body: @escaping @Sendable (Yield) async throws -> Void) {
    content = .source { TaskSource(body) }
  }

  /// Creates a stream of the elements of another asynchronous sequence. On older systems, iterate
  /// over the sequence in the body of ``init(_:)-(_)`` instead.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  public init<Base: AsyncSequence & Sendable>(_ base: Base)
  where Base.Element == OperationResult, Base.Failure == Never {
    content = .source { SequenceSource(base.makeAsyncIterator()) }
  }

  /// Creates a stream of one result that needs no waiting.
  public static func just(_ result: consuming OperationResult) -> ResultStream {
    ResultStream(content: .just(result))
  }

  /// Creates a stream of results that need no waiting.
  public static func just(_ results: [OperationResult]) -> ResultStream {
    ResultStream(content: .results(results))
  }

  /// Creates a stream of results that need no waiting, followed by another stream. That one starts
  /// when the consumer asks for the first result, so a request is sent while the consumer still
  /// handles what is there.
  public static func starting(
    with results: [OperationResult], then more: @escaping @Sendable () -> ResultStream
  ) -> ResultStream {
    ResultStream(content: .starting(results, then: more))
  }

  /// The first result, if it needs no suspension.
  @inline(__always)
  public var immediate: OperationResult? {
    switch content {
    case .just(let result): result
    case .results(let results): results.first
    case .starting(let results, _): results.first
    case .deferred, .awaiting, .source, .shareable: nil
    }
  }

  /// Applies a synchronous closure to each result. The closure runs at once for results that need
  /// no waiting, and for others when they are delivered.
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
    case .awaiting(let make):
      .awaiting { await make().map(transform) }
    case .source(let make):
      ResultStream(source: { MapSource(make(), transform) })
    case .shareable(let make):
      .shareable { MapSource(make($0), transform) }
    }
  }

  /// Creates an iterator; nothing runs before its first `next()`.
  public func makeAsyncIterator() -> Iterator {
    makeIterator(in: nil)
  }
}

extension ResultStream {
  /// Creates the iterator of a flight, if there is one.
  func makeIterator(in flight: SharedRequest?) -> Iterator {
    switch content {
    case .just(let result): Iterator(phase: .just(result))
    case .results(let results): Iterator(phase: .results(results[...], then: nil))
    case .starting(let results, let more): Iterator(phase: .starting(results, then: more))
    case .deferred(let make): Iterator(phase: .deferred(make))
    case .awaiting(let make): Iterator(phase: .source(AwaitingSource(make, in: flight)))
    case .source(let make): Iterator(phase: .source(make()))
    case .shareable(let make): Iterator(phase: .source(make(flight)))
    }
  }

  /// Creates an iterator whose work starts at once, not with its first `next()`.
  func makeStartedIterator() -> Iterator {
    switch content {
    case .just, .results:
      return makeAsyncIterator()
    case .starting(let results, let more):
      return Iterator(
        phase: .results(results[...], then: StreamSource(more().makeStartedIterator())))
    case .deferred(let make):
      return make().makeStartedIterator()
    case .awaiting(let make):
      return makeStartedIterator(AwaitingSource(make, in: nil))
    case .source(let make):
      return makeStartedIterator(make())
    case .shareable(let make):
      return makeStartedIterator(make(nil))
    }
  }

  private func makeStartedIterator(_ source: ResultSource) -> Iterator {
    if source.startsByItself {
      source.start()
      return Iterator(phase: .source(source))
    }
    // Proof: only the task uses the source from here on.
    nonisolated(unsafe) let source = source
    let ahead = TaskSource { yield in await yield.all(Iterator(source)) }
    ahead.startHere()
    return Iterator(phase: .source(ahead))
  }

  /// One iteration of a ``ResultStream``.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate enum Phase {
      case just(OperationResult)
      case starting([OperationResult], then: @Sendable () -> ResultStream)
      case results(ArraySlice<OperationResult>, then: ResultSource?)
      case deferred(@Sendable () -> ResultStream)
      case source(ResultSource)
      case ended
    }

    private var phase: Phase

    fileprivate init(phase: Phase) {
      self.phase = phase
    }

    init(_ source: ResultSource) {
      phase = .source(source)
    }

    /// An iterator at its end.
    static var ended: Iterator { Iterator(phase: .ended) }

    /// Returns the next result, or nil at the end and when the task is cancelled.
    @inlinable
    public mutating func next(isolation: isolated (any Actor)?) async -> OperationResult? {
      await next()
    }

    /// Ends the iteration from any thread; nil if it does not wait, or ends by itself.
    var stop: (@Sendable () -> Void)? {
      switch phase {
      case .source(let source), .results(_, then: .some(let source)): source.stop
      case .just, .starting, .results, .deferred, .ended: nil
      }
    }

    /// Returns the next result, or nil at the end and when the task is cancelled.
    @inlinable
    public mutating func next() async -> OperationResult? {
      // The iterator keeps nothing else while it waits, and a watch may wait as long as the app
      // runs.
      while true {
        switch step() {
        case .done(let result): return result
        case .waiting(let wait): await wait()
        }
      }
    }

    /// Whether it is certain that no further result follows.
    var isAtEnd: Bool {
      switch phase {
      case .source(let source): source.isAtEnd
      case .ended: true
      case .just, .starting, .results, .deferred: false
      }
    }

    @usableFromInline
    enum Step {
      /// The next result; nil at the end.
      case done(OperationResult?)
      /// Something has to happen before the next step.
      case waiting(for: ResultWait)

      /// Changes the result, or the end.
      func map(_ change: (OperationResult?) -> OperationResult?) -> Step {
        if case .done(let result) = self { .done(change(result)) } else { self }
      }
    }

    /// Returns the next result if it needs no waiting, otherwise what to wait for before the next step.
    @usableFromInline
    mutating func step() -> Step {
      switch phase {
      case .just(let result):
        phase = .ended
        return .done(result)
      case .starting(let results, let more):
        phase = .results(results[...], then: StreamSource(more().makeStartedIterator()))
        return step()
      case .results(var results, let rest):
        if let result = results.popFirst() {
          phase = .results(results, then: rest)
          return .done(result)
        }
        phase = rest.map { .source($0) } ?? .ended
        return step()
      case .deferred(let make):
        self = make().makeAsyncIterator()
        return step()
      case .source(let source):
        return source.step()
      case .ended:
        return .done(nil)
      }
    }
  }
}

@available(*, unavailable)
extension ResultStream.Iterator: Sendable {}
