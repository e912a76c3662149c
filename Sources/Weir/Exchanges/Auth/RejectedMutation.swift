/// Decides whether a server that has rejected a mutation may have executed a part of it.
///
/// The root fields of a mutation run one after the other, each with side effects. One has not run if
/// its value is null, and an error at the field itself says that the credentials were rejected. An
/// error further below means that the field has run, and that what it has changed could not be read;
/// a null without an error is the value of a field that has run. An error without a path rejects the whole
/// operation.
struct RejectedMutation {
  let operation: GraphQLOperation
  let result: OperationResult
  /// Whether an error means that the server rejected the credentials.
  let isRejection: (OperationError) -> Bool

  var mayHaveRun: Bool {
    // A WebSocket that the server has closed does not say what had happened by then.
    if result.error?.underlying is SocketClosure { return true }
    let located = result.error?.graphQLErrors.filter { !$0.path.isEmpty } ?? []
    if located.contains(where: { $0.path.count > 1 }) { return true }
    let rejected = located.filter(isRejected)
    let keys = Set(rejected.compactMap(\.rootKey))
    guard let data = result.data else { return hasRunBeforeFailure(located, rejected: keys) }
    // Some servers that reject the whole operation return null for each field.
    let errors = result.error?.graphQLErrors ?? []
    let isWholeRejected = !errors.isEmpty && located.isEmpty && errors.allSatisfy(isRejected)
    return data.members.contains { key, value in
      key != "__typename" && !(value.isNull && (isWholeRejected || keys.contains(key)))
    }
  }

  private func isRejected(_ error: GraphQLError) -> Bool {
    isRejection(
      OperationError(
        graphQLErrors: [error], httpStatus: result.error?.httpStatus,
        mediaType: result.error?.mediaType, underlying: result.error?.underlying))
  }

  /// Without data, nothing has run if no field has failed: the server has refused the request.
  /// Otherwise the last field that failed has ended the execution, and those before it have run unless
  /// they were rejected, too.
  private func hasRunBeforeFailure(_ located: [GraphQLError], rejected keys: Set<String>) -> Bool {
    let failed = Set(located.compactMap(\.rootKey))
    let fields = operation.prepared.plan.fields
      .map { String(decoding: $0.responseKey, as: UTF8.self) }.filter { $0 != "__typename" }
    guard let last = fields.lastIndex(where: failed.contains) else { return !located.isEmpty }
    return !fields[...last].allSatisfy(keys.contains)
  }
}

extension GraphQLError {
  /// The response key of the root field that failed.
  fileprivate var rootKey: String? {
    if case .key(let key) = path.first { key } else { nil }
  }
}
