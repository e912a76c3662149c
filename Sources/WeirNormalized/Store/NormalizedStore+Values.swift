import Weir

extension NormalizedStore {
  /// What is selected, decoded, if everything is there; else nil. The last value is given again if
  /// nothing that it was made from has changed.
  func value<Value: Decodable & Sendable>(
    of target: ReadTarget, as type: Value.Type
  ) throws(OperationError) -> Value? {
    if type is any SelectionDecodable.Type, let value = directValue(of: target, as: type) {
      return value
    }
    guard let stored = result(of: target), stored.isComplete, let payload = stored.payload else {
      return nil
    }
    return try payload.decoded(as: type)
  }

  /// The value, read from the records without making a document. Nil if that is not possible, or not
  /// worth it: where there is a document, the new one takes over from it what has not changed.
  private func directValue<Value: Decodable & Sendable>(
    of target: ReadTarget, as type: Value.Type
  ) -> Value? {
    let now = milliseconds
    var aftermath = Aftermath()
    defer { aftermath.fire() }
    let (known, work) = state.withLock { state -> (Value?, ReadWork?) in
      guard target.session >= state.session else { return (nil, nil) }
      let entry = state.entry(for: target, catalog: catalog, &aftermath)
      if let known = entry.reading?.payload?.value(as: type),
        state.isCurrent(entry, now: now, allowsPartial: false, catalog)
      {
        return (known, nil)
      }
      guard entry.canHoldValue else { return (nil, nil) }
      return (
        nil,
        ReadWork(
          entry, target, records: state.visible, version: state.lastVersion,
          clearedAt: state.clearedAt)
      )
    }
    guard let work else { return known }
    guard let found = work.readValue(type, catalog: catalog) else { return nil }
    let payload = ResultPayload(value: found.value)
    state.withLock { state in
      guard target.session >= state.session, work.clearedAt == state.clearedAt else { return }
      let entry = state.entry(for: target, catalog: catalog, &aftermath)
      guard entry.canHoldValue, work.version >= entry.version else { return }
      if let old = entry.reading?.payload { aftermath.payloads.append(old) }
      let oldBytes = entry.reading?.bytes ?? 0
      entry.reading = OperationEntry.Reading(
        payload: payload, trace: found.trace, missing: [], allowsPartial: false,
        freshUntil: found.freshUntil)
      entry.version = work.version
      if entry.requestedAt == .distantPast { entry.requestedAt = .next() }
      state.size.results += (entry.reading?.bytes ?? 0) - oldBytes
      if state.layers.isEmpty {
        state.collectIfNeeded(written: ChangeSet(), catalog: catalog, &aftermath)
      }
    }
    return found.value
  }
}

extension OperationEntry {
  /// Whether nobody has asked for its data, so that a value alone may be kept.
  fileprivate var canHoldValue: Bool { !isRegistered && reading?.payload?.data == nil }
}
