#if os(Linux) || os(macOS)
  import Weir

  /// The parts of a response that have arrived, but were not passed to its transfer yet.
  ///
  /// The thread passes on everything at the end of each turn. So the waiting task is resumed once for a
  /// small response, and the tasks of all responses of a turn are resumed together: waking another
  /// thread takes longer than receiving a response.
  struct Arrivals {
    /// The number of bytes of a body that are not delayed.
    private static let limit = 64 << 10

    private var head: (HTTPTransfer.Head, length: Int64)?
    private var chunk: [UInt8] = []
    private var end: End?

    enum End {
      case complete
      case failed((_ headArrived: Bool) -> HTTPTransportError)
    }

    /// Notes the final head, and the length of the body, which is negative if the head does not say.
    mutating func add(_ head: HTTPTransfer.Head, expecting length: Int64) {
      self.head = (head, length)
    }

    /// Copies bytes of the body.
    ///
    /// Proof: they are libcurl's, valid during the call, and are copied before it returns.
    ///
    /// - Returns: Whether there is more to receive: false if the transfer has ended.
    mutating func add(_ bytes: UnsafeRawBufferPointer, for transfer: HTTPTransfer) -> Bool {
      if chunk.isEmpty { chunk = [UInt8](bytes) } else { chunk += bytes }
      guard chunk.count >= Self.limit else { return true }
      deliver(to: transfer)
      return !transfer.hasEnded
    }

    mutating func add(_ end: End) {
      self.end = end
    }

    /// Passes everything to the transfer.
    mutating func deliver(to transfer: HTTPTransfer) {
      let arrived = self
      self = Arrivals()
      if let (head, length) = arrived.head { transfer.received(head, expecting: length) }
      if !arrived.chunk.isEmpty { transfer.received(arrived.chunk) }
      switch arrived.end {
      case nil: break
      case .complete: transfer.completed()
      case .failed(let error): transfer.completed(error: error)
      }
    }
  }

  /// The requests of one transport for which something has arrived. Only its thread uses it.
  final class Deliveries {
    private var requests: [CurlRequest] = []

    func note(_ request: CurlRequest) {
      requests.append(request)
    }

    func deliver() {
      for request in requests { request.deliver() }
      requests.removeAll(keepingCapacity: true)
    }
  }
#endif
