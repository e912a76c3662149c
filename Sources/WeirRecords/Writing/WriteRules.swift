/// How a write behaves, whatever its data is.
///
/// No rule has a default, so that none is forgotten where a kind of write is described.
package struct WriteRules {
  /// Milliseconds of the store's clock; ``RowAges/never`` for data that does not age, such as
  /// layers.
  package var now: Int64
  /// When what is written becomes stale, if its type and field have no time to live.
  package var expiry: Int64
  /// When all that is written becomes stale at the latest.
  package var latestExpiry: Int64
  /// Fields that a later request has already written, because its response arrived first.
  package var newer: [RecordReference: WrittenFields]
  /// Whether members may be missing that the server has: in a part of a response, in one with errors, or in
  /// an optimistic result. Then they do not show that a type condition fails to hold.
  package var mayLackMembers: Bool
  /// Whether lists that `@stream` brings item by item may lack their last ones. Such a list stays as it was:
  /// a short one would look complete. Its items are written.
  package var mayLackItems: Bool
  /// Whether the app has made the data. Then a member that it should not have shows nothing.
  package var isByHand: Bool
  /// Whether a field whose value is not an object, although it should be, stays as it was. Otherwise it
  /// becomes null, as a server has said.
  package var keepsMistakenFields: Bool
  /// Whether a page that comes as it was becomes the newest one of its list.
  package var renewsPages: Bool
  /// Whether to note the written fields, because requests that were sent earlier are in flight.
  package var notesWrites: Bool
  /// Whether to note data that was refreshed but may be unchanged: a storage must know of it.
  package var notesAges: Bool

  package init(
    now: Int64, expiry: Int64, latestExpiry: Int64, newer: [RecordReference: WrittenFields],
    mayLackMembers: Bool, mayLackItems: Bool, isByHand: Bool, keepsMistakenFields: Bool,
    renewsPages: Bool, notesWrites: Bool, notesAges: Bool
  ) {
    self.now = now
    self.expiry = expiry
    self.latestExpiry = latestExpiry
    self.newer = newer
    self.mayLackMembers = mayLackMembers
    self.mayLackItems = mayLackItems
    self.isByHand = isByHand
    self.keepsMistakenFields = keepsMistakenFields
    self.renewsPages = renewsPages
    self.notesWrites = notesWrites
    self.notesAges = notesAges
  }
}
