/// Suspends the calling task until its continuation is resumed, for which `onCancel` has to see, too.
///
/// It is suspended where it is. `withTaskCancellationHandler` alone runs its operation on no actor: a task
/// of the main actor would leave it first, and come back by way of another thread.
@inline(__always)
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
