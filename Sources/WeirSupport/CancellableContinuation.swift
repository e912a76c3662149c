/// Suspends the calling task until its continuation is resumed. On cancellation, `onCancel` must cause
/// it to be resumed, too.
///
/// The task stays on its actor. `withTaskCancellationHandler` alone runs its operation on no actor:
/// a task of the main actor would leave it first, and return through another thread.
///
/// Inlined, so that a wait is compiled for its type of value, without another asynchronous call.
@inlinable @inline(__always)
package func withCancellableContinuation<Value: Sendable>(
  isolation: isolated (any Actor)? = #isolation,
  _ register: (CheckedContinuation<Value, Never>) -> Void, onCancel: @Sendable () -> Void
) async -> Value {
  await withTaskCancellationHandler {
    // A closure that captures the isolation has it (SE-0420).
    _ = isolation
    return await withCheckedContinuation(register)
  } onCancel: {
    onCancel()
  }
}
