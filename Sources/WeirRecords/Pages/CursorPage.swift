import Weir

/// One page of a list with pages by cursor or by token, which stands for the cursor of the page's end.
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
  /// Whether the page says that it is the last one, as only pages by token do. Nothing follows it, although an
  /// older page may have been requested with a token that leads behind it.
  var isLast = false
  /// Whether the page has the token of the next one. Then it leads to others even if it was empty from the
  /// beginning: a server may filter after it has counted.
  var hasToken = false

  /// Whether the page is the beginning of the list.
  var isHead: Bool { !isBackward && after == nil && before == nil }

  /// Whether the page is the end of the list.
  var isTail: Bool { isLast || isBackward && after == nil && before == nil }

  /// Whether it separates two others although it has no elements, or none any more.
  var isEmptied: Bool { items.isEmpty && (hasToken || startCursor != nil || endCursor != nil) }
}
