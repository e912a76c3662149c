/// When a page of a connection was last written, if its version is that of a later change: it was loaded
/// from a storage, or has become stale, or elements were removed.
///
/// If two pages contradict each other, the one that was written later is right; therefore this is saved
/// with them. Versions begin with the time, so versions of later runs are greater.
package struct PageOrder {
  /// The record's version since that change. If the record has another version, it was written again.
  let version: UInt64
  let order: UInt64
}

extension RecordState {
  /// A number that grows whenever a page is written, also from one run of the app to the next.
  func order(of page: RecordReference) -> UInt64 {
    let version = header(page).version
    guard let known = pageOrders[page], known.version == version else { return version }
    return known.order
  }

  /// Notes a change of a field. A page does not become newer than the others because of it.
  package mutating func touch(
    _ record: RecordReference, keepingOrderFor field: FieldID, version: UInt64, _ catalog: Catalog
  ) {
    if ["edges", "nodes"].contains(catalog.info(field).name) {
      touchKeepingOrder(record, version: version)
    } else {
      touch(record, version: version)
    }
  }

  mutating func touchKeepingOrder(_ page: RecordReference, version: UInt64) {
    let order = order(of: page)
    touch(page, version: version)
    pageOrders[page] = PageOrder(version: version, order: order)
  }
}
