package import Foundation

/// The results that a document cache held at some time, to be kept by the app and restored at its
/// next start.
///
/// `Codable`, so any encoder writes it; it is made of plain strings. It contains users' data, and
/// belongs where those may be.
public struct DocumentCacheSnapshot: Codable, Hashable, Sendable {
  /// One result, with all that it takes to find it and to invalidate it.
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

  /// The least recently used first.
  package var entries: [Entry]

  package init(entries: [Entry]) {
    self.entries = entries
  }

  /// How many results there are.
  public var count: Int { entries.count }
}

extension DocumentCacheExchange {
  /// What is held now: complete results, in order of use. Costs a copy of their bytes.
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

  /// Takes the results of a snapshot, where nothing is held for their keys yet. They are invalidated
  /// by the same types and tags as before, and their age counts from when they were received.
  ///
  /// To be done before the first operation: it is not known of a result that is restored later whether a
  /// mutation has overtaken it by then.
  ///
  /// - Returns: how many were taken; entries that are damaged are passed over.
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
    var names = entry.names.map { index.id(of: $0) }
    if !entry.unknownFields.isEmpty {
      names.append(NameIndex.unknown)
      names += entry.unknownFields.map { index.id(of: $0, isField: true) }
    }
    return stored(
      payload, requestedAt: .next(), receivedAt: receivedAt, names: names.sorted(), in: slot)
  }
}
