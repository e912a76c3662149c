/// When a page of a connection that came from a storage had changed last.
///
/// Which of two pages is right that contradict each other depends on which has changed later; so it
/// is saved with them. Versions begin with the time, so that those of later runs are larger.
package struct LoadedOrder {
  /// The record's version since it was loaded; if it has another one, it has changed again.
  package let version: UInt64
  package let order: UInt64
}

extension RecordState {
  /// Grows with every change of a page, also from one run of the app to the next.
  package func order(of page: RecordReference) -> UInt64 {
    let version = header(page).version
    guard let loaded = loadedOrders[page], loaded.version == version else { return version }
    return loaded.order
  }
}
