import GraphQLLanguage
package import Weir

/// Entities by key, as the results of all operations have shown them.
public final class NormalizedStore: Sendable {
  let catalog: Catalog
  let state: Locked<StoreState>

  /// An empty store.
  public init(_ configuration: NormalizedCacheConfiguration = NormalizedCacheConfiguration()) {
    catalog = Catalog(configuration)
    state = Locked(StoreState(seed: .random(in: .min ... .max)))
  }
}

/// What a store keeps under its lock.
struct StoreState {
  var records: RecordState

  init(seed: UInt64) {
    records = RecordState(seed: seed)
  }
}

extension NormalizedStore {
  @discardableResult
  package func writeForBenchmark(_ data: JSON, of operation: GraphQLOperation) -> Int {
    let plan = catalog.plan(for: operation.prepared)
    let bindings = Bindings(plan: plan, catalog: catalog, variables: operation.variables)
    let root = RootType(operation.kind)
    return data.withTape { tape, index in
      state.withLock { state in
        state.records.version += 1
        var writer = RecordWriter(
          catalog: catalog, bindings: bindings, tape: tape, version: state.records.version)
        writer.write(
          index, node: plan.root, into: root.reference, type: root.type, isRoot: true,
          &state.records)
        return writer.changes.changes.count
      }
    }
  }

  package func readForBenchmark(_ operation: GraphQLOperation) -> JSON? {
    read(operation).document?.root
  }

  func read(_ operation: GraphQLOperation) -> ReadResult {
    let plan = catalog.plan(for: operation.prepared)
    let bindings = Bindings(plan: plan, catalog: catalog, variables: operation.variables)
    let root = RootType(operation.kind)
    let records = state.withLock { $0.records }
    let reader = RecordReader(catalog: catalog, state: records, bindings: bindings)
    return reader.read(root.reference, plan.root, isRoot: true)
  }
}
