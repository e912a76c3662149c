public import Weir

extension NormalizedStore {
  /// Returns the part of the store for operations with this endpoint and these headers.
  ///
  /// A store keeps apart what servers have answered under different endpoints and headers: records,
  /// results, watches, optimistic results, and what is in a storage. Neutral headers do not count;
  /// see `HeaderRules`. Each part is a store of its own. Operations with an endpoint or headers
  /// reach theirs by themselves; everything else, such as a transaction or a fragment, concerns the
  /// default part, unless you call it on another one:
  ///
  /// ```swift
  /// var german = OperationContext()
  /// german.headers["accept-language"] = "de"
  /// try store.partition(of: german).update { transaction in
  ///   transaction.remove(.entity(Entity("Todo", id: "1")))
  /// }
  /// ```
  ///
  /// On the store itself, invalidations, `flush`, `collect`, `statistics` and a new session concern
  /// all partitions; ``changes(bufferingNewest:)`` and snapshots do not. They share
  /// ``NormalizedCacheConfiguration/maximumBytes``. A partition that you hold is not dropped.
  ///
  /// The default part costs nothing; another one costs a look-up for each execution.
  public func partition(of context: OperationContext) -> NormalizedStore {
    guard let wanted = context.scope?.text, wanted != state.scope else { return self }
    return partitions.store(for: context, scope: wanted)
  }

  /// This store and, if it is the main one, its partitions.
  var withPartitions: [NormalizedStore] { isMain ? [self] + partitions.all : [self] }

  /// Whether the store is the default partition.
  var isMain: Bool { state.scope == nil }
}
