/// The contents of a document cache in numbers, and what the cache has done so far.
public struct DocumentCacheStatistics: Hashable, Sendable {
  /// The number of cached results.
  public internal(set) var entryCount = 0
  /// The number of keys with a result, or with a watch that has none.
  public internal(set) var keyCount = 0
  /// The number of types, tags, and fields of unknown type that invalidate one of the results.
  public internal(set) var nameCount = 0
  /// The bytes of the cached results and their variables, with an estimate for their index.
  public internal(set) var bytes = 0
  /// The number of requests in flight.
  public internal(set) var requestsInFlight = 0
  /// How often the cache has served a result.
  public internal(set) var hits = 0
  /// How often a query has sent a request.
  public internal(set) var misses = 0
  /// How many results were evicted because a limit was reached.
  public internal(set) var evictions = 0
  /// How often a query has looked for a result.
  package internal(set) var lookUps = 0
}

/// A result in a document cache.
public struct DocumentCacheEntry: Sendable {
  /// The key of the operation.
  public let key: OperationKey
  /// The operation's canonical text.
  public let text: String
  /// The operation's variables, as canonical JSON.
  public let variables: String
  /// The types and tags that invalidate it.
  public let names: Set<String>
  /// The bytes of the response and its variables, with an estimate for its index.
  public let bytes: Int
}

extension DocumentCacheExchange {
  /// The contents of the cache in numbers. Frees what has been invalidated first, so the cost grows
  /// with the number of keys.
  public var statistics: DocumentCacheStatistics {
    swept { $0.statistics() }
  }

  /// The cached results, in no particular order. Frees what has been invalidated first, and costs a
  /// copy of the descriptions.
  public var entries: [DocumentCacheEntry] {
    swept { $0.entries() }
  }

  /// Frees everything that has been invalidated, then reads the state.
  func swept<Content>(_ read: (inout DocumentCacheState) -> Content) -> Content {
    let (content, dropped) = state.withLock { state in
      var dropped = DocumentCacheState.Dropped()
      state.sweep(effort: .max, into: &dropped)
      return (read(&state), dropped)
    }
    dropped.fire()
    return content
  }
}

extension DocumentCacheState {
  fileprivate mutating func statistics() -> DocumentCacheStatistics {
    index.prune(oldestRequest: requests.oldest)
    return DocumentCacheStatistics(
      entryCount: slots.entryCount, keyCount: slots.count, nameCount: index.count,
      bytes: slots.bytes, requestsInFlight: requests.count, hits: hits, misses: misses,
      evictions: evictions, lookUps: hits + failedLookUps)
  }

  fileprivate func entries() -> [DocumentCacheEntry] {
    table.compactMap { identity, slot in
      guard let entry = slots[slot].entry else { return nil }
      return DocumentCacheEntry(
        key: identity.key, text: identity.text,
        variables: identity.variables.string,
        names: index.texts(of: index.names(of: slot)), bytes: entry.cost)
    }
  }
}
