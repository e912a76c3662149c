/// One link of the chain between a client and a server.
///
/// Choose one from the box (`.dedup`, `.documentCache`, `.fetch(url)`, …), write a closure
/// (``InlineExchange``), or conform a type of your own:
///
/// ```swift
/// struct Stopwatch: Exchange {
///   func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
///     let start = ContinuousClock.now
///     return forward(operation).map { result in
///       print(operation.name ?? "anonymous", ContinuousClock.now - start)
///       return result
///     }
///   }
/// }
/// ```
///
/// What an author may rely on, and what others rely on:
/// 1. It handles *one execution of one operation*. It may forward that operation, another one,
///    several, or none, and as often as it likes.
/// 2. `execute` may read, but has no effect before the stream is iterated: `client.peek` calls it
///    only to look.
/// 3. Work does not outlive the consumer: the stream ends when the iteration is dropped.
/// 4. Failures are results. A thrown error inside a ``ResultStream`` body becomes one.
/// 5. A result's ``OperationResult/refreshSignal`` is handed on, or the watch goes dead.
///
/// State that executions share belongs in a small lock, never held across an `await`. Exchanges
/// that suspend before they answer stand below the cache, or no hit is ever immediate.
public protocol Exchange: Sendable {
  /// Answers one execution of an operation with its results.
  ///
  /// - Parameters:
  ///   - operation: what to execute.
  ///   - forward: the rest of the chain.
  /// - Returns: a cold stream; nothing runs until it is iterated.
  func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream
}

/// An exchange that keeps something between executions, and has to be told when that is no longer
/// right: a cache, or a table of requests in flight.
public protocol StatefulExchange: Exchange {
  /// Forgets what `invalidation` names and lets the watches that show it refresh.
  func invalidate(_ invalidation: Invalidation)

  /// Forgets everything: another user is at work. Executions of older sessions that still run must
  /// neither read nor write what is kept for the new one.
  func switchSession(to session: Session)
}

/// What a cache is asked to forget.
public enum Invalidation: Sendable {
  /// All results that contain one of these types, or were tagged with one of these names.
  case types(Set<String>)
  /// The result of one operation with its variables.
  case operation(GraphQLOperation)
  /// Everything.
  case all
}

/// Who is at work: a number that only grows. It is part of every execution, so that nothing that
/// belongs to one user can reach the next.
public struct Session: Hashable, Comparable, Sendable {
  package let number: UInt64

  package init(number: UInt64) {
    self.number = number
  }

  /// Orders sessions by when they began.
  public static func < (earlier: Session, later: Session) -> Bool {
    earlier.number < later.number
  }
}
