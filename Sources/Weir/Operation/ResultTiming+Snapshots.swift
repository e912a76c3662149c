import Foundation

extension ResultTiming {
  /// The timing of a result, as both kinds of snapshots contain it; nil without a time.
  init?(receivedAt: Date?, seconds: Double?) {
    guard let receivedAt else { return nil }
    self.init(receivedAt: receivedAt, duration: Duration(readSeconds: seconds ?? 0))
  }
}
