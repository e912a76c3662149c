package import Weir

extension ClientConfiguration {
  /// For the package's own tests of chains that are incomplete on purpose: reports nothing.
  package static var silent: ClientConfiguration {
    var configuration = ClientConfiguration()
    configuration.onDiagnostic = { _ in }
    return configuration
  }
}
