import Weir

/// One page of a list with cursor-based pages.
struct CursorPage {
  struct Item {
    let cell: Cell
    let identity: ElementIdentity
    let cursor: ExactString?
    /// Whether it stands for the elements of an emptied page.
    var isPlaceholder = false
  }

  var items: [Item] = []
  /// The cursors that the page was requested with.
  var after: ExactString?
  var before: ExactString?
  /// The page's first and last cursor.
  var startCursor: ExactString?
  var endCursor: ExactString?
  /// The version of the page's last change.
  var version: UInt64 = 0

  /// Whether the page was requested from the end of the list.
  var isBackward = false

  /// Whether the page is the beginning of the list.
  var isHead: Bool { !isBackward && after == nil && before == nil }

  /// Whether the page is the end of the list.
  var isTail: Bool { isBackward && after == nil && before == nil }

  /// Whether all of its elements were removed since it was requested. It still separates two others.
  var isEmptied: Bool { items.isEmpty && (startCursor != nil || endCursor != nil) }
}
