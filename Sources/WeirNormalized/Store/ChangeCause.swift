/// Why records have changed.
enum ChangeCause {
  /// A response, the app, an event, or another process has written something.
  case write
  /// A refetch has brought data that a change had taken away; see ``OperationEntry/Repairs``.
  case repair
  /// The storage had them.
  case load
}
