/// The work of an HTTP library for one transfer.
package protocol HTTPTransferTask: Sendable {
  /// Stops receiving until `resume` is called. Called within `HTTPTransfer.received`.
  func suspend()
  func resume()
  /// Ends the work. Nothing is reported any more.
  func cancel()
}

/// The state of one HTTP transfer. Its methods are events; they return what to do with the task.
struct HTTPTransferState {
  typealias Head = HTTPTransfer.Head
  typealias Outcome<Value> = Result<Value, HTTPTransportError>

  enum Command {
    case suspend(any HTTPTransferTask)
    case resume(any HTTPTransferTask)
    case cancel(any HTTPTransferTask)
  }

  private let bodyLimit: Int?
  private let limits: UnreadLimits
  private var task: (any HTTPTransferTask)?
  private var receivedHead: Head?
  private var unread = UnreadBytes()
  private var received = 0
  private var isReading = false
  private(set) var isSuspended = false
  /// The end of the transfer, with an error or without.
  private var end: Outcome<Void>?

  var hasEnded: Bool { end != nil }
  var unreadCount: Int { unread.count }

  init(bodyLimit: Int?, limits: UnreadLimits) {
    self.bodyLimit = bodyLimit
    self.limits = limits
  }

  mutating func start(_ task: any HTTPTransferTask) {
    self.task = task
  }

  // MARK: The reader

  /// The head, or the error that took its place; nil while neither is known.
  var head: Outcome<Head>? {
    if let error = end?.error, receivedHead == nil || error.code == .cancelled {
      return .failure(error)
    }
    return receivedHead.map { .success($0) }
  }

  /// Notes that a reader waits for a chunk.
  ///
  /// - Returns: Whether it is the only one.
  mutating func beginReading() -> Bool {
    guard !isReading else { return false }
    isReading = true
    return true
  }

  /// Returns the next chunk, or the end; nil if there is neither yet.
  mutating func takeChunk() -> (chunk: Outcome<[UInt8]?>, command: Command?)? {
    guard !unread.isEmpty || end != nil else { return nil }
    isReading = false
    guard !unread.isEmpty else { return end.map { ($0.map { nil }, nil) } }
    do {
      let chunk = try unread.take()
      return (.success(chunk), resume())
    } catch {
      unread.removeAll()
      return (.failure(.disk(error)), resume())
    }
  }

  private mutating func resume() -> Command? {
    guard isSuspended, unread.count <= limits.memory / 2, end == nil else { return nil }
    isSuspended = false
    return task.map { .resume($0) }
  }

  // MARK: The network

  mutating func receive(_ head: Head, expecting length: Int64) -> Command? {
    guard end == nil, receivedHead == nil else { return nil }
    // The length in a 304 is that of a body which is not sent.
    if let bodyLimit, head.status != 304, length > Int64(bodyLimit) {
      return end(with: .body(exceeds: bodyLimit))
    }
    receivedHead = head
    return nil
  }

  mutating func receive(_ chunk: [UInt8]) -> Command? {
    guard end == nil, !chunk.isEmpty else { return nil }
    received += chunk.count
    if let bodyLimit, received > bodyLimit { return end(with: .body(exceeds: bodyLimit)) }
    let isDue = isReading && unread.isEmpty
    let fits = unread.fileCount == 0 && unread.count + chunk.count <= limits.memory
    guard isDue || fits || limits.disk == nil else { return setAside(chunk) }
    unread.append(chunk)
    guard !isDue, unread.count > limits.memory, !isSuspended else { return nil }
    isSuspended = true
    return task.map { .suspend($0) }
  }

  private mutating func setAside(_ chunk: [UInt8]) -> Command? {
    let disk = limits.disk ?? 0
    guard unread.fileCount + chunk.count <= disk else {
      return end(with: .unread(exceeds: limits.memory + disk))
    }
    do {
      try unread.appendToFile(chunk)
      return nil
    } catch {
      return end(with: .disk(error))
    }
  }

  mutating func complete(
    _ head: Head?, _ error: ((_ headArrived: Bool) -> HTTPTransportError)?
  ) {
    guard end == nil else { return }
    if let error {
      end = .failure(error(receivedHead != nil))
    } else if let head = receivedHead ?? head {
      receivedHead = head
      end = .success(())
    } else {
      end = .failure(HTTPTransportError(.badResponse, "The response has no head."))
    }
    task = nil
  }

  /// Ends the transfer from our side. Unread bytes stay readable, unless the transfer was
  /// cancelled.
  mutating func end(with error: HTTPTransportError) -> Command? {
    guard end == nil else { return nil }
    end = .failure(error)
    if error.code == .cancelled { unread.removeAll() }
    defer { task = nil }
    return task.map { .cancel($0) }
  }
}

extension Result {
  fileprivate var error: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}

/// The maximum number of unread bytes of one body. A negative number counts as 0.
package struct UnreadLimits: Sendable {
  var memory: Int
  /// Further bytes that are written to a file; nil for a task that can be suspended instead.
  var disk: Int?

  package init(memory: Int, disk: Int? = nil) {
    self.memory = max(0, memory)
    self.disk = disk.map { max(0, $0) }
  }
}

extension HTTPTransportError {
  static func unread(exceeds limit: Int) -> HTTPTransportError {
    HTTPTransportError(
      .tooLarge, "More than \(limit) bytes of the response body were not read in time.")
  }

  fileprivate static func disk(_ error: any Error) -> HTTPTransportError {
    HTTPTransportError(
      .other, "The unread part of the response body cannot be stored on disk.", underlying: error)
  }
}
