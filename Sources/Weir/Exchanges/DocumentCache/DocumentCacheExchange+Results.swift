// The results of mutations and subscriptions invalidate those of queries.

extension DocumentCacheExchange {
  /// Invalidates the types that the results of a mutation return, and its tags.
  ///
  /// With `@defer` and `@stream`, each result repeats the ones before it, and watches would refetch for each.
  /// So those that another one follows invalidate only what is new in them. The last one invalidates
  /// everything again: the server may have changed more since a refetch has read it.
  func invalidating(_ results: ResultStream, of operation: GraphQLOperation) -> ResultStream {
    let invalidated = Locked<Set<String>?>(nil)
    return results.map { [self] result in
      let found = result.data.map {
        types.typesInvalidated(by: $0, of: operation, hasErrors: result.error != nil)
      }
      let earlier = invalidated.withLock { invalidated in
        defer {
          // Nothing follows most results.
          if let found, result.hasNext {
            invalidated = (invalidated ?? operation.context.additionalTypenames).union(found.names)
          }
        }
        return invalidated
      }
      guard found != nil || earlier != nil else { return result }
      let names = (found?.names ?? []).union(operation.context.additionalTypenames)
      invalidate(
        result.hasNext ? names.subtracting(earlier ?? []) : names.union(earlier ?? []),
        includingUnknown: !result.hasNext || earlier == nil, learning: found?.learned ?? [],
        in: operation.context.session)
      return result
    }
  }

  /// Invalidates the tags of a subscription and, if the configuration says so, the types of an event.
  func invalidate(byEvent result: OperationResult, of operation: GraphQLOperation) {
    guard let data = result.data else { return }
    let tags = operation.context.additionalTypenames
    guard configuration.subscriptionsInvalidateByType else {
      return invalidate(
        tags, includingUnknown: false, learning: [], in: operation.context.session)
    }
    let found = types.typesInvalidated(by: data, of: operation, hasErrors: result.error != nil)
    // An unknown field cannot have the type of an event without objects.
    invalidate(
      found.names.union(tags), includingUnknown: !found.names.isEmpty, learning: found.learned,
      in: operation.context.session)
  }

  private func invalidate(
    _ names: Set<String>, includingUnknown: Bool, learning learned: [LearnedType],
    in session: Session
  ) {
    let dropped = state.withLock { state -> DocumentCacheState.Dropped in
      guard session >= state.session else { return DocumentCacheState.Dropped() }
      state.learn(learned)
      guard includingUnknown || !names.isEmpty else { return DocumentCacheState.Dropped() }
      return state.invalidate(names, includingUnknown: includingUnknown, at: .next())
    }
    dropped.fire()
  }
}
