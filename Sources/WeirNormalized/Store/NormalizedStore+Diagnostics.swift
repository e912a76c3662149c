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
