import Foundation

extension ResultTiming {
  /// The timing of a result, as both kinds of snapshots contain it, in seconds; nil without a time.
  init?(receivedAt: Date?, duration: Double?, maximumAge: Double?) {
    guard let receivedAt else { return nil }
    self.init(
      receivedAt: receivedAt, duration: Duration(readSeconds: duration ?? 0),
      maximumAge: maximumAge.map { Duration(readSeconds: $0) })
  }
}
