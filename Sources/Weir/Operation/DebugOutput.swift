#if DEBUG
  import Foundation
#endif

/// Writes a message for the app's developer to standard error in a debug build; elsewhere, does nothing.
///
/// For mistakes and failures that nobody has asked to be told about.
package func printInDebugBuilds(_ message: @autoclosure () -> String) {
  #if DEBUG
    FileHandle.standardError.write(Data("Weir: \(message())\n".utf8))
  #endif
}

extension ClientConfiguration {
  func report(_ diagnostic: ClientDiagnostic) {
    if let onDiagnostic { return onDiagnostic(diagnostic) }
    printInDebugBuilds("\(diagnostic)")
  }
}
