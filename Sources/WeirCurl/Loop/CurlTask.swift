#if os(Linux) || os(macOS)
  import Weir

  /// A request as its transfer sees it: a reference that any thread may use.
  final class CurlTask: HTTPTransferTask {
    let request: HTTPRequest
    /// Whether the connection of a first attempt was lost.
    let isSecond: Bool
    let transfer: HTTPTransfer
    private let loop: CurlLoop

    init(_ request: HTTPRequest, isSecond: Bool, transfer: HTTPTransfer, loop: CurlLoop) {
      self.request = request
      self.isSecond = isSecond
      self.transfer = transfer
      self.loop = loop
    }

    func suspend() {
      loop.submit(.update(self))
    }

    func resume() {
      loop.submit(.update(self))
    }

    func cancel() {
      loop.submit(.cancel(self))
    }
  }
#endif
