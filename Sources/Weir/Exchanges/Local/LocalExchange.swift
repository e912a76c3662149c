/// Answers operations with closures, by the operation's name: for local state, features whose
/// server does not exist yet, and previews.
///
/// ```swift
/// let client = GraphQLClient([
///   .local([
///     "Theme": .immediate { _ in ["theme": .string(settings.theme)] },
///     "SetTheme": .asynchronous { operation in try await settings.apply(operation.variables) },
///     "Ticks": .stream { _ in ResultStream { yield in await clock.ticks(yield) } },
///   ]),
///   .dedup, .documentCache, .fetch(url),
/// ])
/// ```
///
/// Place it above the cache if the closures always have the newest data, or below it if their
/// results should be cached and invalidated like a server's. Operations with other names, or
/// without one, are forwarded.
///
/// The results are not checked against the operation's selection: a closure must return all
/// selected fields, including `__typename` if a cache is above the exchange. To let a watch follow
/// local state, place the exchange above the cache, and attach the ``RefreshSource/signal`` of your
/// own source. Take the signal in the closure, before you read the state, because each signal fires once:
///
/// ```swift
/// .stream { _ in
///   let signal = source.signal
///   return .just(OperationResult(data: state.json).refreshed(by: signal))
/// }
/// ```
///
/// Below the cache, invalidate the types of the closures' results instead.
public struct LocalExchange: Exchange {
  /// A closure that answers an operation.
  public struct Handler: Sendable {
    fileprivate let execute: @Sendable (GraphQLOperation) -> ResultStream

    /// Returns data immediately, so that `client.peek` finds it, too. For a query, the closure must
    /// have no side effects: it may be called without an execution.
    public static func immediate(
      _ data: @escaping @Sendable (GraphQLOperation) throws -> JSONValue
    ) -> Handler {
      Handler { operation in
        // A mutation must not run before its stream is iterated.
        operation.kind == .query
          ? .just(OperationResult { try data(operation) })
          : .deferred { .just(OperationResult { try data(operation) }) }
      }
    }

    /// Returns data asynchronously. If the closure throws, the error is the result.
    public static func asynchronous(
      _ data: @escaping @Sendable (GraphQLOperation) async throws -> JSONValue
    ) -> Handler {
      Handler { operation in
        ResultStream { yield in
          let value = try await data(operation)
          yield(OperationResult { value })
        }
      }
    }

    /// Returns any results, such as those of a subscription, or one with an error.
    ///
    /// For a query, the closure may be called without an execution, and several times for one: it must
    /// have no effect itself. Put effects into the stream, for example by `ResultStream { yield in … }`.
    public static func stream(
      _ results: @escaping @Sendable (GraphQLOperation) -> ResultStream
    ) -> Handler {
      Handler { operation in
        // Only a query has to be answered at once, for `peek`.
        operation.kind == .query ? results(operation) : .deferred { results(operation) }
      }
    }
  }

  private let handlers: [String: Handler]

  /// Makes an exchange with handlers by operation name.
  public init(_ handlers: [String: Handler]) {
    self.handlers = handlers
  }

  /// Answers operations that have a handler, and forwards all others.
  public func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    guard let name = operation.name, let handler = handlers[name] else {
      return forward(operation)
    }
    return handler.execute(operation)
  }
}

extension Exchange where Self == LocalExchange {
  /// Answers operations by name; see ``LocalExchange``.
  public static func local(_ handlers: [String: LocalExchange.Handler]) -> LocalExchange {
    LocalExchange(handlers)
  }
}

extension OperationResult {
  /// Makes a result of the data that a closure returns, or of the error that it throws.
  fileprivate init(_ data: () throws -> JSONValue) {
    do {
      self.init(data: try JSON(try data()))
    } catch {
      self.init(error: OperationError(exchangeFailure: error))
    }
  }
}
