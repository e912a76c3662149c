/// One link of the chain between a client and a server.
///
/// Use one of the library's (`.dedup`, `.documentCache`, `.fetch(url)`, …), write a closure
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
/// <doc:WritingAnExchange> explains how, with a small cache as the example. The rules for an exchange:
/// 1. It handles *one execution of one operation*. It may forward that operation, another one,
///    several, or none, as often as it likes.
/// 2. `execute` may read, but must have no effect before the stream is iterated: `client.peek`
///    calls it without iterating.
/// 3. Work does not outlive the consumer: the stream ends when the iteration is dropped.
/// 4. Failures are results. An error thrown by a ``ResultStream`` body becomes one.
/// 5. A result keeps its ``OperationResult/refreshSignal``, otherwise watches are not refreshed.
///
/// An exchange that sends requests answers a query with the policy ``RequestPolicy/cacheOnly`` without one:
/// by an empty ``OperationResult``, of which the client makes the error ``OperationError/Code/notCached``.
///
/// Protect state that executions share with a lock, which is never held across an `await`. Place an
/// exchange that suspends before it answers below the cache, otherwise no hit is immediate.
public protocol Exchange: Sendable {
  /// Returns the results of one execution of an operation.
  ///
  /// - Parameters:
  ///   - operation: the operation to execute.
  ///   - forward: the rest of the chain.
  /// - Returns: a cold stream; nothing runs until it is iterated.
  func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream
}

/// An exchange that keeps state between executions, such as a cache or a table of requests in
/// flight. The client notifies it when that state becomes invalid.
public protocol StatefulExchange: Exchange {
  /// Drops what `invalidation` names, and refreshes the watches that show it.
  func invalidate(_ invalidation: Invalidation)

  /// Drops what belongs to older sessions, because this one is about to begin.
  ///
  /// The client calls this on every exchange before it executes the first operation of the session:
  /// an exchange never meets a session that it has not been told of. Executions of older sessions
  /// may still run. They must neither read nor write the state of the new session, so compare
  /// ``OperationContext/session`` under your lock.
  ///
  /// Return soon: the switch waits. A ``RefreshSource`` may be fired here; the client's watches
  /// execute again when the new session has begun. Several clients may share an exchange, and
  /// switches may overlap: ignore a session that is not newer than the last one.
  func switchSession(to session: Session)

  /// Waits until what ``switchSession(to:)`` has dropped is gone from the disk, too.
  ///
  /// `client.switchSession(durably: true)` calls this after the session has begun. By default it
  /// does nothing, which is right for state in memory.
  ///
  /// - Throws: why it may still be there. The app may switch again later.
  func finishSwitch(to session: Session) async throws
}

extension StatefulExchange {
  /// Does nothing.
  public func finishSwitch(to session: Session) async throws {}
}

extension [any Exchange] {
  /// Passes an invalidation to each stateful exchange, from the last to the first: no execution may join a
  /// flight that found the old data in a cache.
  func invalidate(_ invalidation: Invalidation) {
    for case let exchange as any StatefulExchange in reversed() {
      exchange.invalidate(invalidation)
    }
  }

  /// Switches the session of each stateful exchange.
  func switchSession(to session: Session) {
    for case let exchange as any StatefulExchange in self {
      exchange.switchSession(to: session)
    }
  }

  /// Waits for each stateful exchange.
  ///
  /// - Throws: the first error, after all have been asked.
  func finishSwitch(to session: Session) async throws {
    var failure: (any Error)?
    for case let exchange as any StatefulExchange in self {
      do {
        try await exchange.finishSwitch(to: session)
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
  }
}

/// The part of a cache that is to be dropped.
public enum Invalidation: Sendable {
  /// All results that contain one of these types, or were tagged with one of these names.
  case types(Set<String>)
  /// The result of one operation with its variables.
  case operation(GraphQLOperation)
  /// Everything.
  case all
}
