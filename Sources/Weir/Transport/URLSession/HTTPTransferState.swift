import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Where one exchange stands. Every method is an event and returns what is to be done about it.
struct HTTPTransferState {
  typealias Head = HTTPTransfer.Head
  typealias Outcome<Value> = Result<Value, HTTPTransportError>
  typealias Waiter<Value: Sendable> = CheckedContinuation<Outcome<Value>, Never>

  struct Actions {
    enum Message { case nothing, suspend, resume, cancel }
    var head: (Waiter<Head>, Outcome<Head>)?
    var chunk: (Waiter<[UInt8]?>, Outcome<[UInt8]?>)?
    var tell = Message.nothing
    var task: URLSessionDataTask?
  }

  private let bodyLimit: Int?
  private let limits: UnreadLimits
  private var task: URLSessionDataTask?
  private var head: Head?
  private var headWaiter: Waiter<Head>?
  private var chunkWaiter: Waiter<[UInt8]?>?
  private var unread = UnreadBytes()
  private var received = 0
  private var isSuspended = false
  /// How the exchange ended, once it has: with an error or without.
  private var end: Outcome<Void>?

  var hasEnded: Bool { end != nil }

  init(bodyLimit: Int?, limits: UnreadLimits) {
    self.bodyLimit = bodyLimit
    self.limits = limits
  }

  mutating func start(_ task: URLSessionDataTask) -> Actions {
    self.task = task
    return Actions()
  }

  // MARK: The reader

  mutating func wait(forHead waiter: Waiter<Head>) -> Actions {
    var actions = Actions()
    if let head, end?.error?.code != .cancelled {
      actions.head = (waiter, .success(head))
    } else if let error = end?.error {
      actions.head = (waiter, .failure(error))
    } else {
      headWaiter = waiter
    }
    return actions
  }

  mutating func wait(forChunk waiter: Waiter<[UInt8]?>) -> Actions {
    var actions = Actions()
    if !unread.isEmpty {
      actions.chunk = (waiter, takeChunk())
      if isSuspended, unread.count <= limits.memory / 2, end == nil {
        isSuspended = false
        actions.tell = .resume
        actions.task = task
      }
    } else if let end {
      actions.chunk = (waiter, end.map { nil })
    } else if chunkWaiter != nil {
      actions.chunk = (
        waiter, .failure(HTTPTransportError(.other, "Two readers read one body at once."))
      )
    } else {
      chunkWaiter = waiter
    }
    return actions
  }

  private mutating func takeChunk() -> Outcome<[UInt8]?> {
    do {
      return .success(try unread.take())
    } catch {
      unread.removeAll()
      return .failure(.disk(error))
    }
  }

  // MARK: The network

  mutating func receive(_ head: Head, expecting length: Int64) -> Actions {
    guard end == nil, self.head == nil else { return Actions() }
    if let bodyLimit, length > Int64(bodyLimit) { return end(with: .tooLarge(bodyLimit)) }
    self.head = head
    return answerHead(.success(head))
  }

  mutating func receive(_ chunk: [UInt8]) -> Actions {
    guard end == nil, !chunk.isEmpty else { return Actions() }
    received += chunk.count
    if let bodyLimit, received > bodyLimit { return end(with: .tooLarge(bodyLimit)) }
    if chunkWaiter != nil { return answerChunk(.success(chunk)) }
    if canPause {
      unread.append(chunk)
      return unread.count > limits.memory ? pause() : Actions()
    }
    if unread.fileCount == 0, unread.count + chunk.count <= limits.memory {
      unread.append(chunk)
      return Actions()
    }
    return setAside(chunk)
  }

  private mutating func pause() -> Actions {
    guard !isSuspended else { return Actions() }
    isSuspended = true
    return Actions(tell: .suspend, task: task)
  }

  private mutating func setAside(_ chunk: [UInt8]) -> Actions {
    guard unread.fileCount + chunk.count <= limits.disk else {
      return end(
        with: HTTPTransportError(
          .tooLarge, "More than \(limits.memory + limits.disk) bytes wait to be read."))
    }
    do {
      try unread.appendToFile(chunk)
      return Actions()
    } catch {
      return end(with: .disk(error))
    }
  }

  mutating func complete(_ head: Head?, _ error: (any Error)?) -> Actions {
    guard end == nil else { return Actions() }
    if let error {
      end = .failure(HTTPTransportError(urlError: error, headArrived: self.head != nil))
    } else if self.head != nil || head != nil {
      self.head = self.head ?? head
      end = .success(())
    } else {
      end = .failure(HTTPTransportError(.badResponse, "The response has no head."))
    }
    return finish(tell: .nothing)
  }

  /// Ends the exchange from our side: what waits to be read stays readable, unless it was cancelled.
  mutating func end(with error: HTTPTransportError) -> Actions {
    guard end == nil else { return Actions() }
    end = .failure(error)
    if error.code == .cancelled { unread.removeAll() }
    return finish(tell: .cancel)
  }

  private mutating func finish(tell message: Actions.Message) -> Actions {
    guard let end else { return Actions() }
    var actions = answerHead(
      end.flatMap { head.map { .success($0) } ?? .failure(.cancelled) })
    if chunkWaiter != nil { actions.chunk = answerChunk(end.map { nil }).chunk }
    actions.tell = message
    actions.task = task
    task = nil
    return actions
  }

  private mutating func answerHead(_ outcome: Outcome<Head>) -> Actions {
    defer { headWaiter = nil }
    return Actions(head: headWaiter.map { ($0, outcome) })
  }

  private mutating func answerChunk(_ outcome: Outcome<[UInt8]?>) -> Actions {
    defer { chunkWaiter = nil }
    return Actions(chunk: chunkWaiter.map { ($0, outcome) })
  }
}

extension Result {
  fileprivate var error: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}

/// How many bytes of one body may wait to be read.
struct UnreadLimits {
  var memory: Int
  var disk: Int
}

#if canImport(FoundationNetworking)
  /// Here a task that is suspended and resumed starts its transfer afresh.
  private let canPause = false
#else
  private let canPause = true
#endif

extension HTTPTransportError {
  fileprivate static func disk(_ error: any Error) -> HTTPTransportError {
    HTTPTransportError(
      .other, "What waits to be read cannot be kept on disk.", underlying: error)
  }

  fileprivate static func tooLarge(_ limit: Int) -> HTTPTransportError {
    HTTPTransportError(.tooLarge, "The body has more than \(limit) bytes.")
  }
}
