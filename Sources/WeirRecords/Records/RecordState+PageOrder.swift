/// When a page of a connection that came from a storage was last changed.
///
/// If two pages contradict each other, the one that changed later is right; therefore this is saved
/// with them. Versions begin with the time, so versions of later runs are greater.
package struct LoadedOrder {
  /// The record's version since it was loaded. If the record has another version, it has changed
  /// again.
  let version: UInt64
  let order: UInt64
}

extension RecordState {
  /// A number that grows with every change of a page, also from one run of the app to the next.
  func order(of page: RecordReference) -> UInt64 {
    let version = header(page).version
    guard let loaded = loadedOrders[page], loaded.version == version else { return version }
    return loaded.order
  }
}
