#if os(Linux) || os(macOS)
  import Weir

  /// The state of one WebSocket that tasks and the thread of a transport share.
  final class SocketMailbox: Sendable {
    private struct Incoming {
      var isOpen = false
      var messages = FIFOQueue<String>()
      var unreadBytes = 0
      var isHeldBack = false
      var end: (any Error)?

      /// What a message takes until it is read, empty ones included.
      static func size(of message: String) -> Int { message.utf8.count + 64 }

      mutating func take(
        resumingAt limit: Int
      ) -> (message: Result<String, any Error>, resumes: Bool)? {
        guard let message = messages.popFirst() else { return end.map { (.failure($0), false) } }
        unreadBytes -= Self.size(of: message)
        let resumes = isHeldBack && unreadBytes <= limit
        if resumes { isHeldBack = false }
        return (.success(message), resumes)
      }
    }

    private struct Outgoing {
      var frames = FIFOQueue<[UInt8]>()
      var submitted = 0
      var sent = 0
      var closure: SocketClosure?
      /// Whether the thread has closed the connection.
      var isDone = false
    }

    let session: WebSocketSession
    /// The server's URL, with the scheme `http` or `https`, for libcurl.
    let server: String
    private let unreadLimit: Int
    private let incoming = AwaitedState(Incoming())
    private let outgoing = AwaitedState(Outgoing())
    private let received = AtomicWord()
    /// Lets the thread look at this object.
    private let wake: @Sendable (SocketMailbox) -> Void

    init(
      _ session: WebSocketSession, server: String, unreadLimit: Int,
      wake: @escaping @Sendable (SocketMailbox) -> Void
    ) {
      self.session = session
      self.server = server
      self.unreadLimit = unreadLimit
      self.wake = wake
    }

    // MARK: Tasks

    /// Waits until the WebSocket is open. Cancelling any of the waiting tasks closes it.
    func opened() async throws {
      let result: Result<Void, any Error> = await incoming.wait(
        for: { $0.isOpen ? .success(()) : $0.end.map { .failure($0) } }, onCancel: cancel)
      try result.get()
    }

    func receive() async throws -> String {
      let limit = unreadLimit / 2
      let (message, resumes) = await incoming.wait(
        for: { $0.take(resumingAt: limit) }, onCancel: cancel)
      if resumes { wake(self) }
      return try message.get()
    }

    /// Waits until the system has taken the frame.
    func send(_ frame: [UInt8]) async throws {
      let number = outgoing.change { outgoing in
        outgoing.frames.append(frame)
        outgoing.submitted += 1
        return outgoing.submitted
      }
      wake(self)
      let isSent = await outgoing.wait(
        for: { $0.sent >= number ? true : $0.isDone || $0.closure != nil ? false : nil },
        onCancel: cancel)
      if !isSent { throw incoming.read(\.end) ?? CancellationError() }
    }

    /// Begins to close the connection, if it is open.
    func close(_ closure: SocketClosure, for error: any Error) {
      incoming.change { if $0.end == nil { $0.end = error } }
      let isFirst = outgoing.change { outgoing in
        guard outgoing.closure == nil, !outgoing.isDone else { return false }
        outgoing.closure = closure
        return true
      }
      if isFirst { wake(self) }
    }

    /// Waits until the connection is closed, unless the task is cancelled.
    func closed() async {
      await outgoing.wait(for: { $0.isDone || Task.isCancelled ? () : nil }, onCancel: cancel)
    }

    @Sendable private func cancel() {
      close(.leaving, for: CancellationError())
      outgoing.change { _ in }
    }

    /// The number of bytes that have arrived, the handshake included.
    var receivedBytes: Int { Int(clamping: received.load()) }

    // MARK: The thread

    func noteReceived(_ count: Int) {
      received.add(UInt64(count))
    }

    /// How this side has closed.
    var closure: SocketClosure? { outgoing.read(\.closure) }

    func takeFrame() -> [UInt8]? {
      // A change wakes the waiting task, so there is none without a frame.
      outgoing.read(\.frames.isEmpty) ? nil : outgoing.change { $0.frames.popFirst() }
    }

    func noteSent() {
      outgoing.change { $0.sent += 1 }
    }

    /// Whether receiving is to stop until a message was read. If so, the reader wakes the thread.
    func holdsBack() -> Bool {
      // Nearly always: a change would wake the reader.
      guard incoming.read({ $0.unreadBytes > unreadLimit }) else { return false }
      return incoming.change { incoming in
        incoming.isHeldBack = incoming.unreadBytes > unreadLimit && incoming.end == nil
        return incoming.isHeldBack
      }
    }

    func deliver(_ event: WebSocketSession.Event) {
      incoming.change { incoming in
        guard incoming.end == nil else { return }
        switch event {
        case .opened: incoming.isOpen = true
        case .message(let text):
          incoming.messages.append(text)
          incoming.unreadBytes += Incoming.size(of: text)
        case .ended(let error): incoming.end = error
        }
      }
    }

    /// Notes that the connection is closed.
    func finish(_ error: any Error) {
      deliver(.ended(error))
      outgoing.change { outgoing in
        outgoing.frames = FIFOQueue()
        outgoing.isDone = true
      }
    }
  }

  extension SocketClosure {
    /// The closure for a socket that is released, or whose task is cancelled.
    static let leaving = SocketClosure(code: 1001)
  }
#endif
