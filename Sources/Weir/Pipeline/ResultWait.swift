/// What the consumer of a source waits for before it asks the source again.
///
/// However many sources are stacked, only the consumer's task waits, and only here: no level keeps
/// anything in the task, or passes a result on, as asynchronous functions that call each other do. An
/// ``AwaitedSource`` is the exception: it waits for the sources below itself.
@usableFromInline
enum ResultWait {
  /// Until a buffer has a result, or ends.
  case buffer(ResultBuffer)
  /// Until a result is superseded.
  case signal(RefreshWaiter)
  /// Until a source has waited for what it needs.
  case source(ResultSource)

  /// Waits. When the task is cancelled, a wait for a buffer or a signal ends at once, that of a source
  /// as soon as the source reacts.
  @usableFromInline @inline(never)
  func callAsFunction() async {
    switch self {
    case .buffer(let buffer): await buffer.waitForResult()
    case .signal(let waiter): await waiter.wait()
    case .source(let source): await source.wait()
    }
  }
}
