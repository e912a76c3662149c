import Foundation
import Weir

/// A door that a test opens: what passes it waits until then.
///
/// Use it instead of sleeping: let an answer wait at a gate, bring about what should happen
/// meanwhile, and open it.
///
/// ```swift
/// let gate = Gate()
/// let server = ScriptedExchange { _ in await gate.pass(); return .data(#"{"a":1}"#) }
/// async let result = client.query(operation)
/// await server.received(1)
/// client.invalidate(types: "Post")
/// gate.open()
/// ```
public final class Gate: Sendable {
  private struct State {
    var isOpen: Bool
    var waiting: [UUID: CheckedContinuation<Void, Never>] = [:]
  }

  private let state: Locked<State>

  /// A gate that is closed, unless `isOpen` says otherwise.
  public init(isOpen: Bool = false) {
    state = Locked(State(isOpen: isOpen))
  }

  /// Lets everybody through who waits, and everybody who comes.
  public func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [:] }
      return state.waiting.values
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Makes everybody wait again who comes from now on.
  public func close() {
    state.withLock { $0.isOpen = false }
  }

  /// Waits until the gate is open, or the task is cancelled.
  public func pass() async {
    let id = UUID()
    await withCancellableContinuation { continuation in
      let passes = state.withLock { state in
        if state.isOpen || Task.isCancelled { return true }
        state.waiting[id] = continuation
        return false
      }
      if passes { continuation.resume() }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: id) }?.resume()
    }
  }
}
