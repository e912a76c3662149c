/// The content of a document cache at one moment, for people; see ``DocumentCacheExchange/dump()``.
public struct DocumentCacheDump: Sendable, CustomStringConvertible {
  /// An array with an object for each operation that has a result or a watch, the least recently used
  /// result first.
  ///
  /// The members are the `name` of the operation and its `variables`; `typenames`, the types and tags
  /// that invalidate the result; its `bytes` with those of its variables, and its `age` in
  /// milliseconds, which is null without a result; `watchers`, how many tasks wait for a newer
  /// result; and `isWatched` and `isStale`. A result is stale if it is older than its time to live, or
  /// has been invalidated: it is not served, and is freed later.
  public let json: JSONValue

  /// A line for each operation.
  public var description: String {
    (json.array ?? []).map { result in
      let types = result["typenames"]?.array?.compactMap(\.string).joined(separator: " ") ?? ""
      let content =
        result["age"]?.int.map { "\(result["bytes"]?.int ?? 0) bytes, \($0) ms old, [\(types)]" }
        ?? "no result"
      let flags = ["isWatched", "isStale"].filter { result[$0] == .bool(true) }
      let name = result["name"]?.string ?? "unnamed"
      return ([name, result["variables"].map { "\($0)" } ?? "", content] + flags)
        .joined(separator: " ")
    }.joined(separator: "\n")
  }
}

extension DocumentCacheExchange {
  /// Returns what the cache has: for tests, and while you search for a mistake. Visits every result.
  ///
  /// The dump contains the operations' variables, and so perhaps your users' data, but no results.
  public func dump() -> DocumentCacheDump {
    let now = now()
    return DocumentCacheDump(json: .array(state.withLock { $0.dump(now: now) }))
  }
}

extension DocumentCacheState {
  fileprivate mutating func dump(now: Duration) -> [JSONValue] {
    let withResult = slots.leastRecentlyUsedFirst
    let others = Set(table.values).subtracting(withResult).sorted()
    var results: [JSONValue] = []
    for slot in withResult + others { results.append(dump(slot, now: now)) }
    return results
  }

  private mutating func dump(_ slot: Int32, now: Duration) -> JSONValue {
    let (identity, entry) = (slots[slot].identity, slots[slot].entry)
    let isFresh =
      index.outdated(slot) == nil
      && entry.map { self.isFresh($0, now: now, maximumAge: nil) } ?? false
    let typenames = index.texts(of: index.names(of: slot)).sorted()
    return [
      "name": identity.operationName.map { .string($0) } ?? .null,
      "variables": (try? JSON(parsing: identity.variables.array))?.value ?? .null,
      "typenames": .array(typenames.map { .string($0) }),
      "bytes": .int(Int64(entry?.cost ?? 0)),
      "age": entry.map { .int((now - $0.receivedAt).milliseconds) } ?? .null,
      "watchers": .int(Int64(slots[slot].source?.waiterCount ?? 0)),
      "isWatched": .bool(slots.isWatched(slot)),
      "isStale": .bool(!isFresh),
    ]
  }
}

extension OperationIdentity {
  /// The name of the operation, which begins the canonical text.
  fileprivate var operationName: String? {
    let start = "query "
    guard text.hasPrefix(start) else { return nil }
    let name = text.dropFirst(start.count).prefix { !" ({@".contains($0) }
    // Without a name, the variables or the directives follow at once.
    return name.isEmpty ? nil : String(name)
  }
}
