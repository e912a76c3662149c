import Weir

/// The last link of a chain in which todos are changed: it answers `UpdateTodo` with the data that
/// it was given, and counts everything else.
final class TodoUpdates: Exchange {
  private let next = Locked(OperationResult())
  private let others = AtomicWord()
  private let answersAfter: (@Sendable () async -> Void)?

  /// - Parameter after: The answers come after this; nil for at once.
  init(after: (@Sendable () async -> Void)? = nil) {
    answersAfter = after
  }

  /// How many operations other than mutations have arrived here.
  var queryCount: Int { Int(others.load()) }

  /// Makes the next answer.
  func prepare(_ variables: UpdateTodoVariables) throws {
    let data = try variables.answer
    next.withLock { $0 = OperationResult(data: data) }
  }

  func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    guard operation.kind == .mutation else {
      others.add(1)
      return .just(parsed([]))
    }
    let result = next.withLock { $0 }
    guard let answersAfter else { return .just(result) }
    return ResultStream { yield in
      await answersAfter()
      yield(result)
    }
  }
}

extension UpdateTodoVariables {
  /// The data with which the server answers.
  var answer: JSON {
    get throws {
      try JSON(
        parsing: """
          {"updateTodo":{"id":"\(id)","text":"\(text)","complete":\(complete),\
          "__typename":"Todo"}}
          """)
    }
  }
}
