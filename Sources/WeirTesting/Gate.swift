import WeirLocalServer

/// A gate at which tasks wait until a test opens it.
///
/// Use it instead of sleeping: let a response wait at the gate, perform the steps that should happen in
/// the meantime, and open it.
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
  private let opened = ArrivalCount()

  /// Makes a gate, which is closed by default.
  public init(isOpen: Bool = false) {
    if isOpen { open() }
  }

  /// Opens the gate for the waiting tasks and for all that follow.
  public func open() { opened.set(1) }

  /// Closes the gate; later tasks wait again.
  public func close() { opened.set(0) }

  /// Waits until the gate is open, or the task is cancelled.
  public func pass() async { await opened.reaches(1) }
}
