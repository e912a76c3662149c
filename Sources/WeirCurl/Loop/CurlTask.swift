#if os(Linux) || os(macOS)
  import Weir

  /// A request as its transfer sees it: a reference that any thread may use.
  final class CurlTask: HTTPTransferTask {
    /// Whether the connection of a first attempt was lost.
    let isSecond: Bool
    let transfer: HTTPTransfer
    private let loop: CurlLoop

    init(isSecond: Bool, transfer: HTTPTransfer, loop: CurlLoop) {
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
