/// What a document cache holds, and what it has done so far.
public struct DocumentCacheStatistics: Hashable, Sendable {
  /// Results that are held.
  public internal(set) var entryCount = 0
  /// Keys that are known: those with a result, and those that are watched without one.
  public internal(set) var keyCount = 0
  /// Types, tags and fields of unknown type that something is listed under.
  public internal(set) var nameCount = 0
  /// Bytes of the results that are held, with an estimate of what indexes them.
  public internal(set) var bytes = 0
  /// Requests that have left and not come back.
  public internal(set) var requestsInFlight = 0
  /// How often a result was served.
  public internal(set) var hits = 0
  /// How often a query went on to the network.
  public internal(set) var misses = 0
  /// How many results were dropped because there were too many.
  public internal(set) var evictions = 0
}

/// One result that a document cache holds.
public struct DocumentCacheEntry: Sendable {
  /// The key of the operation.
  public let key: OperationKey
  /// The operation's canonical text.
  public let text: String
  /// The operation's variables, as canonical JSON.
  public let variables: String
  /// The types and tags that it is invalidated by.
  public let names: Set<String>
  /// Bytes of the response and what indexes it, in part an estimate.
  public let bytes: Int
}

extension DocumentCacheExchange {
  /// What is held. Gives keys back first that nobody watches any more, so it costs a look at each
  /// key without a result.
  public var statistics: DocumentCacheStatistics {
    let (statistics, dropped) = state.withLock { state in
      var dropped = DocumentCacheState.Dropped()
      return (state.statistics(&dropped), dropped)
    }
    dropped.fire()
    return statistics
  }

  /// The results that are held, in no particular order. Costs a copy of their descriptions.
  public var entries: [DocumentCacheEntry] {
    state.withLock { $0.entries() }
  }
}

extension DocumentCacheState {
  fileprivate mutating func statistics(_ dropped: inout Dropped) -> DocumentCacheStatistics {
    sweep(lookingAt: slots.idleCount, into: &dropped)
    index.prune(oldestRequest: requests.oldest)
    return DocumentCacheStatistics(
      entryCount: slots.entryCount, keyCount: slots.count, nameCount: index.count,
      bytes: slots.bytes, requestsInFlight: requests.count, hits: hits, misses: misses,
      evictions: evictions)
  }

  fileprivate func entries() -> [DocumentCacheEntry] {
    table.compactMap { identity, slot in
      guard let entry = slots[slot].entry else { return nil }
      return DocumentCacheEntry(
        key: identity.key, text: identity.text,
        variables: String(decoding: identity.variables, as: UTF8.self),
        names: index.names(of: index.names(of: slot)), bytes: entry.cost)
    }
  }
}
