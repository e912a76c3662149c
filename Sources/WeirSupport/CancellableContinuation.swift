#if DEBUG
  /// Resumes a waiting task, once. Only debug builds check that, for it costs an allocation and about as
  /// much time as the rest of a wait.
  @usableFromInline
  package typealias WaitingTask<Value> = CheckedContinuation<Value, Never>
#else
  /// Resumes a waiting task, once. Proof: debug builds, and so all tests, check it.
  @usableFromInline
  package typealias WaitingTask<Value> = UnsafeContinuation<Value, Never>
#endif

/// Suspends the calling task until its continuation is resumed. On cancellation, `onCancel` must cause
/// it to be resumed, too.
///
/// The task stays on its actor. `withTaskCancellationHandler` alone runs its operation on no actor:
/// a task of the main actor would leave it first, and return through another thread.
///
/// Inlined, so that a wait is compiled for its type of value, without another asynchronous call.
@inlinable
package func withCancellableContinuation<Value: Sendable>(
  isolation: isolated (any Actor)? = #isolation,
  _ register: (WaitingTask<Value>) -> Void, onCancel: @Sendable () -> Void
) async -> Value {
  await withTaskCancellationHandler {
    // A closure that captures the isolation has it (SE-0420).
    _ = isolation
    return await withReturningContinuation(register)
  } onCancel: {
    onCancel()
  }
}

/// Suspends the calling task until its continuation is resumed. A task of the main actor then returns
/// to it without another thread in between, where the system allows it: see ``MainActorReturn``.
@inlinable @inline(__always)
package func withReturningContinuation<Value: Sendable>(
  isolation: isolated (any Actor)? = #isolation,
  _ register: (WaitingTask<Value>) -> Void
) async -> Value {
  if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *),
    isolation === MainActor.shared
  {
    return await withMainActorReturn(register)
  }
  return await withWaitingTask(register)
}

/// Not inlined, so that other tasks keep no room for it while they wait.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
@inlinable @inline(never)
func withMainActorReturn<Value: Sendable>(
  isolation: isolated (any Actor)? = #isolation, _ register: (WaitingTask<Value>) -> Void
) async -> Value {
  await withTaskExecutorPreference(MainActorReturn.shared, isolation: isolation) {
    // Isolated as the caller is, because it captures the isolation.
    _ = isolation
    return await withWaitingTask(register)
  }
}

@inlinable @inline(__always)
func withWaitingTask<Value: Sendable>(
  isolation: isolated (any Actor)? = #isolation, _ register: (WaitingTask<Value>) -> Void
) async -> Value {
  #if DEBUG
    await withCheckedContinuation(register)
  #else
    await withUnsafeContinuation(register)
  #endif
}

/// Runs a resumed task on the thread that resumes it, until the task asks for its actor, which is the
/// first thing that it does.
///
/// A continuation is resumed on no actor, whatever actor its task was on: the task goes to the pool,
/// where a thread wakes up only to find that the main actor is needed, and wakes up that one. A task
/// that prefers this executor while it waits goes to the main actor at once.
///
/// It is only for the main actor. Another actor that is idle would be entered at once, below the call
/// that resumes the task, and the code of that actor would run in the middle of the caller's.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
@usableFromInline
package final class MainActorReturn: TaskExecutor {
  @usableFromInline
  package static let shared = MainActorReturn()

  @usableFromInline
  package func enqueue(_ job: consuming ExecutorJob) {
    UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
  }
}
