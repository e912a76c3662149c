/// Suspends the calling task until its continuation is resumed. `onCancel` must see to it that it
/// is resumed on cancellation, too.
///
/// The task stays on its actor. `withTaskCancellationHandler` alone runs its operation on no actor:
/// a task of the main actor would leave it first, and return through another thread.
///
/// Inlined, because the code for an unknown type of value made a wait a third slower.
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
