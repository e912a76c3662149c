import Weir

extension NormalizedStore {
  /// Reports each probable mistake to the app once.
  func report(_ diagnostics: [StoreDiagnostic]) {
    guard !diagnostics.isEmpty, let onDiagnostic = configuration.onDiagnostic else { return }
    let new = partitions.reported.withLock { reported in
      diagnostics.filter { reported.insert($0).inserted }
    }
    for diagnostic in new { onDiagnostic(diagnostic) }
  }
}
