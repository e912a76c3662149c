/// When a page that is an object was last written, if its version is that of a later change: it was loaded
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

  /// Whether a page has changed since it was last written, but not by a write.
  package func hasOlderOrder(_ page: RecordReference) -> Bool {
    order(of: page) != header(page).version
  }

  /// Whether a record is a page of a list, and another page of the list was written later.
  func isOlderPage(_ page: RecordReference, _ catalog: Catalog) -> Bool {
    let key = self[page].key(page.rowInChunk)
    guard key.kind == .reference, let list = catalog.info(key.ownerField).list else { return false }
    let own = order(of: page)
    return pages(of: list, on: key.record, catalog).contains {
      let other = cell(key.record, FieldPlace(besideRow: $0))
      return other.isReference && header(other.record).hasRecord && order(of: other.record) > own
    }
  }

  /// The lists of a page that have not changed since an older state, although the page has become newer.
  package func renewedLists(
    of page: RecordReference, since old: RecordState, _ catalog: Catalog
  ) -> [FieldPlace] {
    guard hasRow(of: page), old.hasRow(of: page), header(page).bits != old.header(page).bits,
      header(page).hasRecord, self[page].key(page.rowInChunk).kind == .reference,
      order(of: page) != old.order(of: page)
    else { return [] }
    return places(of: page, catalog).filter {
      catalog.pageLists.contains(catalog.info($0.field).name)
    }
  }

  /// Notes a change that is not a write, of a field or of the whole record. A page does not become newer than
  /// the others because of it.
  package mutating func touch(
    _ record: RecordReference, keepingOrderFor field: FieldID? = nil, version: UInt64,
    _ catalog: Catalog
  ) {
    let key = self[record].key(record.rowInChunk)
    if key.kind == .reference && catalog.info(key.ownerField).list != nil
      && cell(key.record, FieldPlace(besideRow: key.ownerField)).kind == .embedded
      || field.map({ catalog.pageLists.contains(catalog.info($0).name) }) == true
    {
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
