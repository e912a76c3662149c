#if os(Linux) || os(macOS)
  import Foundation
  import Weir

  /// The requests that wait for a connection, in one queue for each host. Only the thread of a transport
  /// uses it.
  ///
  /// libcurl has one queue for all hosts, of which it tries one or two requests whenever another one
  /// ends. There, the requests to a host that does not answer would hold back those to all others.
  final class HostQueues {
    struct Host: Hashable {
      fileprivate let scheme: String?
      fileprivate let name: String?
      fileprivate let port: Int

      init(_ url: URL) {
        // With and without the default port, libcurl counts one host.
        (scheme, name) = (url.scheme?.lowercased(), url.host()?.lowercased())
        port = url.effectivePort
      }
    }

    struct Waiting {
      let task: CurlTask
      let request: HTTPRequest
      let host: Host
    }

    private struct Entry {
      var running = 0
      /// The requests that wait, in order, and those that were cancelled meanwhile.
      var queue = FIFOQueue<UInt64>()
    }

    /// The maximum number of hosts whose protocol is remembered.
    private static let memory = 1_000

    private let limit: Int
    private var entries: [Host: Entry] = [:]
    /// By number: another task may get the address of one that was cancelled.
    private var waiting: [UInt64: Waiting] = [:]
    private var numbers: [ObjectIdentifier: UInt64] = [:]
    private var lastNumber: UInt64 = 0
    /// The hosts whose connections carry many requests each, so that none needs to wait for another.
    private var sharing: Set<Host> = []
    /// The hosts whose requests need not wait any more.
    private var opened: [Host] = []

    /// - Parameter limit: The maximum number of connections to one host; 0 for no limit.
    init(limit: Int) {
      self.limit = max(0, limit)
    }

    var isEmpty: Bool { waiting.isEmpty }

    /// Notes a request.
    ///
    /// - Returns: Whether it may begin now. If not, `next` returns it when it may.
    func mayBegin(_ task: CurlTask, _ request: HTTPRequest, to host: Host) -> Bool {
      guard !hasRoom(host) else {
        entries[host, default: Entry()].running += 1
        return true
      }
      lastNumber += 1
      entries[host, default: Entry()].queue.append(lastNumber)
      waiting[lastNumber] = Waiting(task: task, request: request, host: host)
      numbers[ObjectIdentifier(task)] = lastNumber
      return false
    }

    /// Notes that a request that had begun has ended.
    func ended(_ host: Host) {
      entries[host]?.running -= 1
      forgetIfUnused(host)
    }

    /// Notes whether the connections to a host carry many requests each.
    func note(_ host: Host, sharesConnections: Bool) {
      guard sharesConnections else {
        sharing.remove(host)
        return
      }
      if sharing.count >= Self.memory { sharing = [] }
      if sharing.insert(host).inserted { opened.append(host) }
    }

    /// Returns the hosts whose requests need not wait any more, once.
    func takeOpened() -> [Host] {
      defer { opened = [] }
      return opened
    }

    /// Returns the next request to a host that may begin, and notes that it has begun; nil if there is
    /// none.
    func next(to host: Host) -> Waiting? {
      while hasRoom(host), let number = entries[host]?.queue.popFirst() {
        guard let next = waiting.removeValue(forKey: number) else { continue }
        numbers[ObjectIdentifier(next.task)] = nil
        entries[host]?.running += 1
        return next
      }
      forgetIfUnused(host)
      return nil
    }

    private func forgetIfUnused(_ host: Host) {
      if let entry = entries[host], entry.running == 0, entry.queue.isEmpty { entries[host] = nil }
    }

    /// Removes a request that waits.
    ///
    /// - Returns: Whether it did.
    func remove(_ task: CurlTask) -> Bool {
      guard let number = numbers.removeValue(forKey: ObjectIdentifier(task)),
        let removed = waiting.removeValue(forKey: number)
      else { return false }
      // A host that answers none of many requests, all of which are cancelled, needs no memory.
      if let count = entries[removed.host]?.queue.count, count > 2 * waiting.count + 64 {
        var queue = FIFOQueue<UInt64>()
        while let number = entries[removed.host]?.queue.popFirst() {
          if waiting[number] != nil { queue.append(number) }
        }
        entries[removed.host]?.queue = queue
      }
      return true
    }

    /// Removes all requests that wait.
    func removeAll() -> [CurlTask] {
      defer {
        (waiting, numbers) = ([:], [:])
        for host in entries.keys { entries[host]?.queue = FIFOQueue() }
      }
      return waiting.values.map(\.task)
    }

    private func hasRoom(_ host: Host) -> Bool {
      limit == 0 || entries[host].map(\.running) ?? 0 < limit || sharing.contains(host)
    }
  }
#endif
