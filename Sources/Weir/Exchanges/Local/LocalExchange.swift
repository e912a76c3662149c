/// Answers operations from closures, by the operation's name: local state that is read like any
/// other query, features whose server does not exist yet, previews.
///
/// ```swift
/// let client = GraphQLClient([
///   .dedup,
///   .local([
///     "Theme": .immediate { _ in ["theme": .string(settings.theme)] },
///     "SetTheme": .asynchronous { operation in try await settings.apply(operation.variables) },
///     "Ticks": .stream { _ in ResultStream { yield in await clock.ticks(yield) } },
///   ]),
///   .documentCache, .fetch(url),
/// ])
/// ```
///
/// It stands above the cache if the closures know best, below it if their answers should be cached
/// and invalidated like a server's. Operations of other names, and those without one, pass.
///
/// Nothing is checked against the operation's selection: a closure answers what the operation asks
/// for, `__typename` included if a cache stands above it. To let a watch follow local state, attach
/// the ``RefreshSource/signal`` of your own source: `.stream { _ in .just(now.refreshed(by: signal)) }`.
public struct LocalExchange: Exchange {
  /// How an operation is answered.
  public struct Handler: Sendable {
    fileprivate let execute: @Sendable (GraphQLOperation) -> ResultStream

    /// Data that are there already, so that `client.peek` finds them, too. The closure only reads;
    /// it may be called to look.
    public static func immediate(
      _ data: @escaping @Sendable (GraphQLOperation) throws -> JSONValue
    ) -> Handler {
      Handler { operation in
        // What writes must wait until somebody iterates.
        operation.kind == .query
          ? .just(OperationResult { try data(operation) })
          : .deferred { .just(OperationResult { try data(operation) }) }
      }
    }

    /// Data that have to be waited for. An error that the closure throws is the result.
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

    /// Any results, such as a subscription's, or one with an error.
    public static func stream(
      _ results: @escaping @Sendable (GraphQLOperation) -> ResultStream
    ) -> Handler {
      Handler(execute: results)
    }
  }

  private let handlers: [String: Handler]

  /// An exchange with handlers by the names of operations.
  public init(_ handlers: [String: Handler]) {
    self.handlers = handlers
  }

  /// Answers what it has a handler for; forwards everything else.
  public func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    guard let name = operation.name, let handler = handlers[name] else {
      return forward(operation)
    }
    return handler.execute(operation)
  }
}

extension Exchange where Self == LocalExchange {
  /// Answers operations by their names; see ``LocalExchange``.
  public static func local(_ handlers: [String: LocalExchange.Handler]) -> LocalExchange {
    LocalExchange(handlers)
  }
}

extension OperationResult {
  /// The data that a closure makes, or the error that it throws.
  fileprivate init(_ data: () throws -> JSONValue) {
    do {
      self.init(data: try JSON(try data()))
    } catch {
      self.init(error: OperationError(exchangeFailure: error))
    }
  }
}
