import Weir

extension NormalizedStore {
  /// Reports each probable mistake to the app once, with those that compiling a selection has shown;
  /// a thousand of them at most, because they name types that a server has named.
  func report(_ diagnostics: [StoreDiagnostic]) {
    guard StoreDiagnostic.isRead(by: configuration) else { return }
    let all = diagnostics + (catalog.policies.unmetNames?.takeFound() ?? [])
    guard !all.isEmpty else { return }
    let new = partitions.reported.withLock { reported in
      all.filter {
        ($0.code == .tooManyTypes || reported.count < StoreDiagnostic.maximumCount)
          && reported.insert($0).inserted
      }
    }
    for diagnostic in new { diagnostic.report(to: configuration) }
  }

  /// Compares the names in the configuration with the schema, if there is one.
  func checkConfiguration() {
    guard let schema = configuration.schema, StoreDiagnostic.isRead(by: configuration) else {
      return
    }
    report(configuration.mistakes(in: schema))
  }
}

extension StoreDiagnostic {
  /// The diagnostics that any store has printed.
  private static let printed = Locked<Set<StoreDiagnostic>>([])

  /// The text of an error that the app's code has thrown: only its type, unless the text never
  /// quotes a value.
  static func text(of error: any Error) -> String {
    switch error {
    case is StoreError, is JSONError, is JSONEncodingError: "\(error)"
    case let error as JSONDecodingError: error.descriptionWithoutValue
    default: "\(type(of: error))"
    }
  }

  /// Whether anybody would see a diagnostic.
  static func isRead(by configuration: NormalizedCacheConfiguration) -> Bool {
    #if DEBUG
      true
    #else
      configuration.onDiagnostic != nil
    #endif
  }

  fileprivate func report(to configuration: NormalizedCacheConfiguration) {
    if let onDiagnostic = configuration.onDiagnostic { return onDiagnostic(self) }
    #if DEBUG
      guard code != .noKey, Self.printed.withLock({ $0.insert(self).inserted }) else { return }
      printInDebugBuilds("\(self)")
    #endif
  }
}
