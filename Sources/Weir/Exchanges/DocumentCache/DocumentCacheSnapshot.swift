package import Foundation

/// A copy of the results in a document cache, which your app can store and restore at its next
/// start.
///
/// A snapshot is `Codable` and consists of plain strings. It contains users' data: store it where
/// that is permitted.
public struct DocumentCacheSnapshot: Codable, Hashable, Sendable {
  /// One result, with its key and the names that invalidate it.
  package struct Entry: Codable, Hashable, Sendable {
    package var text: String
    package var variables: String
    package var scope: String?
    package var names: [String]
    package var unknownFields: [String]
    package var data: String
    package var extensions: String?
    package var receivedAt: Date?
    package var duration: Double?

    package init(
      text: String, variables: String, scope: String?, names: [String], unknownFields: [String],
      data: String, extensions: String?, receivedAt: Date?, duration: Double?
    ) {
      self.text = text
      self.variables = variables
      self.scope = scope
      self.names = names
      self.unknownFields = unknownFields
      self.data = data
      self.extensions = extensions
      self.receivedAt = receivedAt
      self.duration = duration
    }
  }

  /// The results, the least recently used first.
  package var entries: [Entry]

  package init(entries: [Entry]) {
    self.entries = entries
  }

  /// The number of results.
  public var count: Int { entries.count }
}

extension DocumentCacheExchange {
  /// Returns a copy of all complete results, in order of use. Costs a copy of their bytes.
  public func snapshot() -> DocumentCacheSnapshot {
    let held = state.withLock { $0.held() }
    return DocumentCacheSnapshot(
      entries: held.compactMap { identity, payload, names, fields in
        guard let data = payload.data, payload.error == nil else { return nil }
        return DocumentCacheSnapshot.Entry(
          text: identity.text, variables: String(decoding: identity.variables, as: UTF8.self),
          scope: identity.scope, names: names.sorted(), unknownFields: fields.sorted(),
          data: data.description, extensions: payload.extensions?.description,
          receivedAt: payload.timing?.receivedAt,
          duration: payload.timing.map { $0.duration / .seconds(1) })
      })
  }

  /// Adds the results of a snapshot, except those whose key has a result already. The same types
  /// and tags as before invalidate them, and their age counts from when they were received.
  ///
  /// Call it before the first operation: the cache does not know which mutations have superseded a
  /// result that is restored later.
  ///
  /// - Returns: how many results were added. Damaged entries are skipped.
  @discardableResult
  public func restore(_ snapshot: DocumentCacheSnapshot) -> Int {
    let now = self.now()
    var count = 0
    for entry in snapshot.entries {
      guard let data = try? JSON(parsing: entry.data), data.kind == .object,
        (try? JSON(parsing: entry.variables))?.kind == .object
      else { continue }
      let age = entry.receivedAt.map { Duration(readSeconds: -$0.timeIntervalSinceNow) } ?? .zero
      let payload = ResultPayload(
        data: data, extensions: entry.extensions.flatMap { try? JSON(parsing: $0) },
        timing: entry.receivedAt.map {
          ResultTiming(receivedAt: $0, duration: Duration(readSeconds: entry.duration ?? 0))
        })
      let reception = state.withLock { state in
        state.restore(entry, payload: payload, receivedAt: now - age)
      }
      guard let reception else { continue }
      reception.fire()
      count += 1
    }
    return count
  }
}

extension DocumentCacheState {
  fileprivate typealias Held = (
    identity: OperationIdentity, payload: ResultPayload, names: Set<String>, fields: Set<String>
  )

  fileprivate func held() -> [Held] {
    slots.leastRecentlyUsedFirst.compactMap { slot in
      guard let payload = slots[slot].entry?.payload else { return nil }
      let fields = index.names(of: slot).filter(index.isField)
      let names = index.names(of: slot).filter { !index.isField($0) }
      return (slots[slot].identity, payload, index.names(of: names), index.names(of: fields))
    }
  }

  fileprivate mutating func restore(
    _ entry: DocumentCacheSnapshot.Entry, payload: ResultPayload, receivedAt: Duration
  ) -> Reception? {
    var hash = StableHash()
    hash.combine(entry.text)
    let identity = OperationIdentity(
      text: entry.text, textHash: hash.value, variables: Array(entry.variables.utf8),
      scope: entry.scope)
    guard !configuration.keepsNothing else { return nil }
    let slot = slot(for: identity)
    guard slots[slot].entry == nil else { return nil }
    var reception = Reception()
    let response = CachedResponse(
      payload: payload, requestedAt: .next(), receivedAt: receivedAt, names: Set(entry.names),
      unknownFields: Set(entry.unknownFields))
    store(response, names: ids(of: response), in: slot, reception: &reception)
    return reception
  }
}
