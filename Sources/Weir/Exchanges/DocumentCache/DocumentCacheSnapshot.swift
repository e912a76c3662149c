package import Foundation

/// A copy of the results in a document cache, which your app can store and restore at its next
/// start.
///
/// A snapshot is `Codable` and consists of plain strings. It contains a user's data: store it where
/// that is permitted, in a file for each user. A snapshot that was made, or decoded, before the
/// session was switched is not restored afterwards.
public struct DocumentCacheSnapshot: Codable, Hashable, Sendable {
  /// One result, with its key and the names that invalidate it. New members must be optional: earlier
  /// versions have saved entries without them.
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
    package var maximumAge: Double?
    package var retention: Double?
  }

  /// The results, the least recently used first.
  package var entries: [Entry]

  package var origin: SnapshotOrigin

  package init(entries: [Entry], origin: SnapshotOrigin = SnapshotOrigin()) {
    self.entries = entries
    self.origin = origin
  }

  /// Decodes a snapshot, which then belongs to the current session.
  public init(from decoder: any Decoder) throws {
    origin = SnapshotOrigin()
    entries = try decoder.container(keyedBy: CodingKeys.self).decode([Entry].self, forKey: .entries)
  }

  private enum CodingKeys: CodingKey {
    case entries
  }

  /// The number of results.
  public var count: Int { entries.count }
}

extension DocumentCacheSnapshot: CustomStringConvertible, CustomReflectable {
  /// The number of results and of their bytes; not the results, which are a user's data.
  public var description: String { "\(count) results, \(bytes) bytes" }

  /// The number of results and of their bytes.
  public var customMirror: Mirror {
    Mirror(self, children: ["count": count, "bytes": bytes], displayStyle: .struct)
  }

  private var bytes: Int {
    entries.reduce(0) { sum, entry in
      sum + entry.text.utf8.count + entry.variables.utf8.count + entry.data.utf8.count
        + (entry.extensions?.utf8.count ?? 0)
    }
  }
}

extension DocumentCacheExchange {
  /// Returns a copy of all complete results, in order of use. Costs a copy of their bytes.
  ///
  /// Results of operations with a credential among their headers, or in their endpoint, are left out:
  /// a snapshot holds no credential, and a later process could not tell whose they are. Attach
  /// credentials by ``AuthExchange`` instead.
  public func snapshot() -> DocumentCacheSnapshot {
    let now = self.now()
    let (origin, held) = swept { state in
      // Before the results are read, because a storage may remove everything after that; under the lock,
      // so that the older of two snapshots has the older content.
      var origin = SnapshotOrigin()
      origin.session = state.session
      return (origin, state.held(at: now))
    }
    return DocumentCacheSnapshot(
      entries: held.compactMap { identity, payload, age, names, fields in
        guard let data = payload.data, payload.error == nil, identity.isLasting else {
          return nil
        }
        return DocumentCacheSnapshot.Entry(
          text: identity.text, variables: identity.variables.string,
          scope: identity.scope, names: names.sorted(), unknownFields: fields.sorted(),
          data: data.description, extensions: payload.extensions?.description,
          receivedAt: payload.timing?.receivedAt ?? Self.date(ofAge: age),
          duration: payload.timing.map { $0.duration / .seconds(1) },
          maximumAge: payload.timing?.maximumAge.map { $0 / .seconds(1) },
          retention: payload.retention.map { $0 / .seconds(1) })
      }, origin: origin)
  }

  /// Adds the results of a snapshot, except those whose key has a result already. The same types
  /// and tags as before invalidate them, and their age counts from when they were received.
  ///
  /// Call it before the first operation: the cache does not know which mutations have superseded a
  /// result that is restored later. (In a normalized store, `NormalizedStore.restore(_:in:)`, the fields of
  /// the snapshot replace those that are there.)
  ///
  /// Nothing is added if the session was switched since the snapshot was decoded. A snapshot that was not
  /// decoded belongs to the session of the cache that made it: nothing is added if this cache has a later
  /// one. If your app reads the file asynchronously, pass the session from before:
  ///
  /// ```swift
  /// let session = client.session
  /// let saved = try await read(file)
  /// cache.restore(saved, in: session)
  /// ```
  ///
  /// - Parameters:
  ///   - snapshot: The results to add.
  ///   - session: The session to which they belong; nil stands for the one in which the snapshot was
  ///     made or decoded.
  /// - Returns: how many results were added. Damaged entries are skipped.
  @discardableResult
  public func restore(_ snapshot: DocumentCacheSnapshot, in session: Session? = nil) -> Int {
    let session = snapshot.origin.session(named: session)
    let now = self.now()
    var count = 0
    for entry in snapshot.entries {
      guard let data = try? JSON(parsing: entry.data), data.kind == .object,
        (try? JSON(parsing: entry.variables))?.kind == .object
      else { continue }
      let age = entry.receivedAt.map(Self.age) ?? .zero
      let payload = ResultPayload(
        data: data, extensions: entry.extensions.flatMap { try? JSON(parsing: $0) },
        // Without a duration, no response has brought the result.
        timing: entry.duration.flatMap {
          ResultTiming(
            receivedAt: entry.receivedAt, duration: $0, maximumAge: entry.maximumAge)
        },
        retention: entry.retention.map { Duration(readSeconds: $0) })
      noteRetention(of: payload)
      let dropped = state.withLock { state in
        state.session <= session
          ? state.restore(entry, payload: payload, receivedAt: now - age) : nil
      }
      guard let dropped else { continue }
      dropped.fire()
      count += 1
    }
    return count
  }
}

extension DocumentCacheExchange {
  /// When a result without timing was received: in whole seconds, so that the next snapshot mostly says
  /// the same.
  fileprivate static func date(ofAge age: Duration) -> Date {
    Date(timeIntervalSince1970: (Date().timeIntervalSince1970 - age / .seconds(1)).rounded())
  }

  /// The age of a result that an earlier run has received.
  fileprivate static func age(receivedAt date: Date) -> Duration {
    let seconds = -date.timeIntervalSinceNow
    // The system's clock was ahead: the age is unknown, so every limit is over.
    return Duration(readSeconds: seconds < -60 ? .infinity : seconds)
  }
}

extension DocumentCacheState {
  fileprivate typealias Held = (
    identity: OperationIdentity, payload: ResultPayload, age: Duration, names: Set<String>,
    fields: Set<String>
  )

  fileprivate func held(at now: Duration) -> [Held] {
    slots.leastRecentlyUsedFirst.compactMap { slot in
      guard let entry = slots[slot].entry else { return nil }
      let names = index.names(of: slot)
      return (
        slots[slot].identity, entry.payload, now - entry.receivedAt, index.texts(of: names),
        index.unknownFields(of: names)
      )
    }
  }

  fileprivate mutating func restore(
    _ entry: DocumentCacheSnapshot.Entry, payload: ResultPayload, receivedAt: Duration
  ) -> Dropped? {
    let identity = OperationIdentity(
      text: entry.text, variables: CompactBytes(entry.variables), scope: entry.scope)
    guard !configuration.keepsNothing else { return nil }
    let slot = slot(for: identity)
    var dropped = Dropped()
    refresh(slot, into: &dropped)
    guard slots[slot].entry == nil else { return nil }
    let response = CachedResponse(
      payload: payload, requestedAt: .next(), receivedAt: receivedAt, names: Set(entry.names),
      unknownFields: Set(entry.unknownFields))
    store(
      response, names: ids(of: response.names, response.unknownFields), in: slot, dropped: &dropped)
    dropped.sources.append((slots.source(of: slot), response.requestedAt))
    return dropped
  }
}
