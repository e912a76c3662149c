import Weir

extension NormalizedStore {
  /// Tells the app of each probable mistake once.
  func report(_ diagnostics: [StoreDiagnostic]) {
    guard !diagnostics.isEmpty, let onDiagnostic = configuration.onDiagnostic else { return }
    let new = reported.withLock { reported in
      diagnostics.filter { reported.insert($0).inserted }
    }
    for diagnostic in new { onDiagnostic(diagnostic) }
  }
}

extension Catalog {
  /// Whether objects of a type are expected to have a key: of all that is not declared as embedded
  /// or decided by a closure.
  func expectsKey(of typename: String) -> Bool {
    switch configuration.key(of: typename) {
    case .embedded, .computed: false
    case .fields, nil: true
    }
  }
}
