#if os(Linux) || os(macOS)
  import CCurl
  import Foundation
  import Weir

  /// The thread on which libcurl performs the requests of one transport. It starts with the first
  /// request. Others hand it jobs.
  final class CurlLoop: Sendable {
    enum Job: Sendable {
      indirect case start(CurlTask, HTTPRequest)
      /// Pause or resume as the transfer says now. The job does not say which, because a reader may
      /// have changed it meanwhile.
      case update(CurlTask)
      case cancel(CurlTask)
      case supply(CurlTask, Result<[UInt8]?, UploadError>)
      case open(SocketMailbox)
      /// Look at what the tasks of a WebSocket want now.
      case updateSocket(SocketMailbox)

      /// Whether a closed transport refuses it.
      var isNew: Bool {
        switch self {
        case .start, .open: true
        case .update, .cancel, .supply, .updateSocket: false
        }
      }
    }

    enum Ending {
      /// The thread ends when no request runs.
      case finishing
      /// The same, but requests that may last for ever end at once.
      case draining
      /// The thread ends all requests, and then itself.
      case closing
    }

    private struct Inbox {
      var jobs: [Job] = []
      var ending: Ending?
      var isRunning = false
      /// Wakes the thread.
      var wakeup: Wakeup?
      /// Whether the thread waits, and nobody has woken it yet.
      var isWaiting = false
      /// Tasks that wait for the end of the thread.
      var waiting: [CheckedContinuation<Void, Never>] = []

      /// Returns the object to wake after a change; nil if the thread sees the change by itself.
      mutating func toWake() -> Wakeup? {
        defer { isWaiting = false }
        return isWaiting ? wakeup : nil
      }
    }

    let options: CurlTransport.Options
    private let inbox = Locked(Inbox())

    init(_ options: CurlTransport.Options) {
      self.options = options
    }

    /// Hands a job to the thread.
    ///
    /// - Returns: Whether the transport is open. A closed one drops the job.
    @discardableResult
    func submit(_ job: Job) -> Bool {
      let (isOpen, starts, wakeup) = inbox.withLock { inbox -> (Bool, Bool, Wakeup?) in
        guard inbox.ending == nil || inbox.isRunning && !job.isNew else {
          return (false, false, nil)
        }
        inbox.jobs.append(job)
        defer { inbox.isRunning = true }
        return (true, !inbox.isRunning, inbox.toWake())
      }
      wakeup?.wake()
      if starts { start() }
      return isOpen
    }

    /// Ends the thread, at once or when its last request has ended.
    func end(_ ending: Ending) {
      let wakeup = inbox.withLock { inbox in
        if inbox.ending != .closing { inbox.ending = ending }
        return inbox.toWake()
      }
      wakeup?.wake()
    }

    /// Waits until the thread has ended and everything of libcurl is freed.
    func waitForEnd() async {
      await withCheckedContinuation { continuation in
        let hasEnded = inbox.withLock { inbox in
          if inbox.isRunning { inbox.waiting.append(continuation) }
          return !inbox.isRunning
        }
        if hasEnded { continuation.resume() }
      }
    }

    // MARK: The thread

    private func start() {
      let thread = Thread { self.run() }
      // The app's closures run on it, such as those that report progress. With musl, it would be 128 KiB.
      thread.stackSize = max(thread.stackSize, 512 << 10)
      thread.start()
    }

    private func run() {
      blockSignals()
      // On Linux, a thread that has not started has no name.
      Thread.current.name = "weir.curl"
      ProcessExit.beginWork()
      while perform() {}
      ProcessExit.endWork()
    }

    /// Performs requests until the thread is to end.
    ///
    /// - Returns: Whether new jobs have arrived since the last request ended.
    private func perform() -> Bool {
      do throws(HTTPTransportError) {
        let multi = try MultiHandle()
        if options.connectionsPerHost > 0 {
          multi.set(CURLMOPT_MAX_HOST_CONNECTIONS, options.connectionsPerHost)
          // libcurl counts the connections in use, too. If these alone were as many, each request to
          // another host would need a new connection.
          multi.set(
            CURLMOPT_MAXCONNECTS, max(4 * min(options.connectionsPerHost, 1 << 20), 1_024))
        }
        var worker = CurlWorker(self)
        inbox.withLock { $0.wakeup = multi.events.wakeup }
        var ending: Ending?
        while true {
          let last = ending
          ending = handleJobs(by: &worker, in: multi)
          if ending == .draining, last != ending { worker.endStreams(with: .closed, in: multi) }
          if ending == .closing { worker.endAll(with: .closed, in: multi) }
          if ending != nil, worker.isIdle, inbox.withLock({ $0.jobs.isEmpty }) { break }
          worker.perform(in: multi)
          ProcessExit.endWork()
          // Nothing wakes the thread when its last request has ended.
          let mayEnd = ending != nil && worker.isIdle
          worker.wait(in: multi, hasJobs: mayEnd || !beginWaiting(knowing: ending))
          ProcessExit.beginWork()
        }
        inbox.withLock { $0.wakeup = nil }
      } catch {
        for job in takeJobs().jobs {
          if case .start(let task, _) = job { task.transfer.end(with: error) }
          if case .open(let mailbox) = job { mailbox.finish(error) }
        }
      }
      return !noteEnd()
    }

    /// Apart from the wait, during which the jobs must not keep what they refer to.
    private func handleJobs(by worker: inout CurlWorker, in multi: borrowing MultiHandle) -> Ending?
    {
      let (jobs, ending) = takeJobs()
      worker.handle(jobs, in: multi)
      return ending
    }

    private func takeJobs() -> (jobs: [Job], ending: Ending?) {
      inbox.withLock { inbox in
        inbox.isWaiting = false
        defer { inbox.jobs = [] }
        return (inbox.jobs, inbox.ending)
      }
    }

    /// - Parameter ending: The ending that the thread knows of.
    /// - Returns: Whether nothing is new; if so, the next change wakes the thread.
    private func beginWaiting(knowing ending: Ending?) -> Bool {
      inbox.withLock { inbox in
        inbox.isWaiting = inbox.jobs.isEmpty && inbox.ending == ending
        return inbox.isWaiting
      }
    }

    /// - Returns: Whether the thread may end: false if a job has arrived.
    private func noteEnd() -> Bool {
      let waiting: [CheckedContinuation<Void, Never>]? = inbox.withLock { inbox in
        guard inbox.jobs.isEmpty else { return nil }
        inbox.isRunning = false
        defer { inbox.waiting = [] }
        return inbox.waiting
      }
      for continuation in waiting ?? [] { continuation.resume() }
      return waiting != nil
    }

    /// Blocks the signals in this thread that are for any thread of the process. Older versions of libcurl
    /// write to closed TLS connections in a way that raises `SIGPIPE`, which ends the process.
    ///
    /// A fault is the thread's own. If it were blocked, the process would end without its handlers, such as
    /// Swift's, which writes a backtrace.
    private func blockSignals() {
      var blocked = sigset_t()
      sigfillset(&blocked)
      for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS] {
        sigdelset(&blocked, fault)
      }
      pthread_sigmask(SIG_BLOCK, &blocked, nil)
    }
  }
#endif
