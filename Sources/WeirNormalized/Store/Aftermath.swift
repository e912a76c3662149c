import Weir

/// What has to be done when the lock is open: sources to fire, and payloads to let go of, since the
/// end of a decoded value is the user's code.
struct Aftermath {
  var firings: [(source: RefreshSource, instant: LogicalInstant)] = []
  var payloads: [ResultPayload] = []
  var notices: [(StoreChanges, [AsyncStream<StoreChanges>.Continuation])] = []
  /// Whether layers have to be put on top of what has changed.
  var isBelowLayers = false
  /// What is to save the changes.
  var storage: StorageThread?

  func fire() {
    for (changes, listeners) in notices {
      for listener in listeners { listener.yield(changes) }
    }
    for (source, instant) in firings { source.fire(at: instant) }
    storage?.save()
  }
}
