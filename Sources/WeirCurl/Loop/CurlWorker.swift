#if os(Linux) || os(macOS)
  import CCurl
  import Weir

  /// What the thread of a transport performs. Only this thread uses it.
  struct CurlWorker {
    private let loop: CurlLoop
    private var requests: [ObjectIdentifier: (task: CurlTask, request: CurlRequest)] = [:]
    private var sockets = CurlSockets()

    init(_ loop: CurlLoop) {
      self.loop = loop
    }

    var isIdle: Bool { requests.isEmpty && sockets.isEmpty }

    mutating func handle(_ jobs: [CurlLoop.Job], in multi: borrowing MultiHandle) {
      for job in jobs {
        switch job {
        case .start(let task): start(task, in: multi)
        case .update(let task): requests[ObjectIdentifier(task)]?.request.update()
        case .cancel(let task): remove(task, from: multi)
        case .supply(let task, let result):
          requests[ObjectIdentifier(task)]?.request.supply(result)
        case .open(let mailbox): sockets.open(mailbox, loop.options, in: multi)
        case .updateSocket(let mailbox): sockets.update(mailbox)
        }
      }
    }

    private mutating func start(_ task: CurlTask, in multi: borrowing MultiHandle) {
      // A request may have been cancelled, or its time may have passed, before it is started.
      guard !task.transfer.hasEnded else { return }
      let body = RequestBody(task.request) { [weak task, loop] result in
        if let task { loop.submit(.supply(task, result)) }
      }
      do throws(HTTPTransportError) {
        let request = try CurlRequest(
          task.request, key: ObjectIdentifier(task), isSecond: task.isSecond,
          transfer: task.transfer, options: loop.options, body: body)
        guard curl_multi_add_handle(multi.pointer, request.handle.pointer) == CURLM_OK else {
          throw HTTPTransportError(.other, "libcurl has no memory for another request.")
        }
        requests[ObjectIdentifier(task)] = (task, request)
      } catch {
        task.transfer.end(with: error)
      }
    }

    /// Removes a request. That closes its connection, unless other requests share it over HTTP/2.
    private mutating func remove(_ task: CurlTask, from multi: borrowing MultiHandle) {
      guard let (_, request) = requests.removeValue(forKey: ObjectIdentifier(task)) else { return }
      // libcurl 7.88 would keep an HTTP/2 connection that no other request uses, but tell the server
      // only with the next request that nobody reads the response any more.
      request.handle.set(CURLOPT_FORBID_REUSE, true)
      let connection = request.sharedConnection
      curl_multi_remove_handle(multi.pointer, request.handle.pointer)
      guard let connection else { return }
      requests.values.first { $0.request.canFlush(connection) }?.request.flush()
    }

    /// Lets libcurl send and receive what it can without waiting.
    mutating func perform(in multi: borrowing MultiHandle) {
      var running: Int32 = 0
      curl_multi_perform(multi.pointer, &running)
      var code = CURLE_OK
      while let handle = weir_curl_next_end(multi.pointer, &code) {
        var context: UnsafeMutableRawPointer?
        weir_curl_info_pointer(handle, CURLINFO_PRIVATE, &context)
        guard let context else { continue }
        // Proof: the context is an object that this value or `sockets` keeps.
        switch Unmanaged<AnyObject>.fromOpaque(context).takeUnretainedValue() {
        case let request as CurlRequest:
          curl_multi_remove_handle(multi.pointer, handle)
          request.ended(with: code)
          requests[request.key] = nil
        case let connection as SocketConnection: connection.connected(code)
        default: break
        }
      }
      sockets.perform(in: multi)
    }

    /// Waits until there is something to perform, or until another thread wakes this one.
    mutating func wait(in multi: borrowing MultiHandle) {
      sockets.wait(in: multi)
    }

    /// Ends all requests from our side.
    mutating func endAll(with error: HTTPTransportError, in multi: borrowing MultiHandle) {
      for (task, request) in requests.values {
        task.transfer.end(with: error)
        curl_multi_remove_handle(multi.pointer, request.handle.pointer)
      }
      requests = [:]
      sockets.endAll(with: error, in: multi)
    }
  }
#endif
