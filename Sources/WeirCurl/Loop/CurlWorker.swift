#if os(Linux) || os(macOS)
  import CCurl
  import Weir

  /// What the thread of a transport performs. Only this thread uses it.
  struct CurlWorker {
    private let loop: CurlLoop
    private var requests:
      [ObjectIdentifier: (task: CurlTask, request: CurlRequest, host: HostQueues.Host)] = [:]
    private var handles: RequestHandles
    private let queues: HostQueues
    private let deliveries = Deliveries()
    private var sockets = CurlSockets()

    init(_ loop: CurlLoop) {
      self.loop = loop
      handles = RequestHandles(loop.options)
      queues = HostQueues(
        limit: loop.options.connectionsPerHost,
        idleSeconds: loop.options.idleConnectionLimit.wholeSeconds)
    }

    var isIdle: Bool { requests.isEmpty && queues.isEmpty && sockets.isEmpty }

    mutating func handle(_ jobs: [CurlLoop.Job], in multi: borrowing MultiHandle) {
      for job in jobs {
        switch job {
        case .start(let task, let request): start(task, request, in: multi)
        case .update(let task): requests[ObjectIdentifier(task)]?.request.update()
        case .cancel(let task): remove(task, from: multi)
        case .supply(let task, let result):
          requests[ObjectIdentifier(task)]?.request.supply(result)
        case .open(let mailbox): sockets.open(mailbox, loop.options, in: multi)
        case .updateSocket(let mailbox): sockets.update(mailbox)
        }
      }
    }

    private mutating func start(
      _ task: CurlTask, _ request: HTTPRequest, in multi: borrowing MultiHandle
    ) {
      // A request may have been cancelled, or its time may have passed, before it is started.
      guard !task.transfer.hasEnded else { return }
      let host = HostQueues.Host(request.url)
      if queues.mayBegin(task, request, to: host) { begin(task, request, to: host, in: multi) }
    }

    private mutating func begin(
      _ task: CurlTask, _ request: HTTPRequest, to host: HostQueues.Host,
      in multi: borrowing MultiHandle
    ) {
      task.transfer.begin()
      do throws(HTTPTransportError) {
        let request = try CurlRequest(
          request, key: ObjectIdentifier(task), isSecond: task.isSecond, transfer: task.transfer,
          body: body(of: request, for: task), handle: handles.take(), deliveries: deliveries,
          idleSeconds: queues.idleSeconds(of: host),
          noteHead: { [queues] in
            queues.note(host, sharesConnections: $0)
            if let seconds = $1 { queues.note(host, idleSeconds: seconds) }
          })
        guard curl_multi_add_handle(multi.pointer, request.handle.easy.pointer) == CURLM_OK else {
          throw HTTPTransportError(.other, "libcurl has no memory for another request.")
        }
        requests[ObjectIdentifier(task)] = (task, request, host)
      } catch {
        queues.ended(host)
        task.transfer.end(with: error)
      }
    }

    /// Begins the requests to a host that need not wait any more.
    private mutating func beginNext(to host: HostQueues.Host, in multi: borrowing MultiHandle) {
      while let next = queues.next(to: host) {
        begin(next.task, next.request, to: host, in: multi)
      }
    }

    private func body(of request: HTTPRequest, for task: CurlTask) -> RequestBody? {
      guard !request.isBodyCopied else { return nil }
      return RequestBody(request) { [weak task, loop] result in
        if let task { loop.submit(.supply(task, result)) }
      }
    }

    /// Removes a request. That closes its connection, unless other requests share it over HTTP/2.
    private mutating func remove(_ task: CurlTask, from multi: borrowing MultiHandle) {
      if queues.remove(task) { return }
      guard let (_, request, host) = requests.removeValue(forKey: ObjectIdentifier(task)) else {
        return
      }
      defer {
        queues.ended(host)
        beginNext(to: host, in: multi)
      }
      request.drop()
      let connection = request.sharedConnection
      curl_multi_remove_handle(multi.pointer, request.handle.easy.pointer)
      flush(connection)
    }

    /// Makes libcurl send what waits on a connection that other requests share.
    private func flush(_ connection: Int?) {
      guard let connection else { return }
      requests.values.first { $0.request.canFlush(connection) }?.request.flush()
    }

    /// Lets libcurl send and receive what it can without waiting.
    mutating func perform(in multi: borrowing MultiHandle) {
      for ready in multi.events.ready where !sockets.noteEvents(of: ready.number) {
        multi.perform(ready)
      }
      multi.performDue()
      var code = CURLE_OK
      while let handle = weir_curl_next_end(multi.pointer, &code) {
        var context: UnsafeMutableRawPointer?
        weir_curl_info_pointer(handle, CURLINFO_PRIVATE, &context)
        guard let context else { continue }
        // Proof: the context is an object that this value or `sockets` keeps.
        switch Unmanaged<AnyObject>.fromOpaque(context).takeUnretainedValue() {
        case let request as CurlRequest:
          let connection = request.sharedConnection
          curl_multi_remove_handle(multi.pointer, handle)
          let host = requests.removeValue(forKey: request.key)?.host
          request.ended(with: code)
          // This side may have ended the request, as by `remove`.
          if code != CURLE_OK { flush(connection) }
          if code == CURLE_OK, request.wasSentOnce { handles.giveBack(request.handle) }
          if let host {
            queues.ended(host)
            beginNext(to: host, in: multi)
          }
        case let connection as SocketConnection: sockets.connected(connection, code)
        default: break
        }
      }
      for host in queues.takeOpened() { beginNext(to: host, in: multi) }
      sockets.perform(in: multi)
      deliveries.deliver()
    }

    /// Waits until there is something to perform, or until another thread wakes this one.
    ///
    /// - Parameters:
    ///   - multi: The handle whose events the thread waits for.
    ///   - hasJobs: Whether other threads have handed over jobs, or want this one to end. Then it
    ///     does not wait.
    func wait(in multi: borrowing MultiHandle, hasJobs: Bool) {
      multi.events.wait(atMost: hasJobs ? 0 : sockets.limit)
    }

    /// Ends the requests whose responses may last for ever.
    mutating func endStreams(with error: HTTPTransportError, in multi: borrowing MultiHandle) {
      // Those that wait are the first, so that none of them begins.
      let streams =
        queues.waitingTasks { $0.mayLast } + requests.values.filter(\.request.mayLast).map(\.task)
      for task in streams {
        task.transfer.end(with: error)
        remove(task, from: multi)
      }
      sockets.closeAll(with: error)
    }

    /// Ends all requests from our side.
    mutating func endAll(with error: HTTPTransportError, in multi: borrowing MultiHandle) {
      for task in queues.removeAll() { task.transfer.end(with: error) }
      for (task, request, _) in requests.values {
        task.transfer.end(with: error)
        request.drop()
        curl_multi_remove_handle(multi.pointer, request.handle.easy.pointer)
      }
      requests = [:]
      sockets.endAll(with: error, in: multi)
    }
  }
#endif
