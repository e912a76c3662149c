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

    final class Waiting {
      let task: CurlTask
      let request: HTTPRequest
      fileprivate let host: Host

      fileprivate init(_ task: CurlTask, _ request: HTTPRequest, to host: Host) {
        (self.task, self.request, self.host) = (task, request, host)
      }
    }

    private struct Entry {
      var running = 0
      var queue = WaitingList<Waiting>()
    }

    /// The maximum number of hosts whose protocol or idle time is remembered.
    private static let memory = 1_000

    private let limit: Int
    private let idleSeconds: Int
    private var entries: [Host: Entry] = [:]
    /// The requests that wait, by their tasks.
    private var waiting: [ObjectIdentifier: Waiting] = [:]
    /// The hosts whose connections carry many requests each, so that none needs to wait for another.
    private var sharing: Set<Host> = []
    /// For how many seconds connections may be idle, of the hosts that have said less than the limit.
    private var announced: [Host: Int] = [:]
    /// The hosts whose requests need not wait any more.
    private var opened: [Host] = []

    /// - Parameters:
    ///   - limit: The maximum number of connections to one host; 0 for no limit.
    ///   - idleSeconds: For how many seconds a connection may be idle, if its host does not say less.
    init(limit: Int, idleSeconds: Int) {
      self.limit = max(0, limit)
      self.idleSeconds = idleSeconds
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
      let request = Waiting(task, request, to: host)
      entries[host, default: Entry()].queue.append(request)
      waiting[ObjectIdentifier(task)] = request
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

    /// Notes for how many seconds the connections to a host may be idle, as the host has said.
    func note(_ host: Host, idleSeconds seconds: Int) {
      guard seconds < idleSeconds else {
        announced[host] = nil
        return
      }
      if announced[host] == nil, announced.count >= Self.memory { announced = [:] }
      // A connection of which no second is left is closed after its response.
      announced[host] = max(1, seconds)
    }

    /// For how many seconds a connection to a host may have been idle to be used again.
    func idleSeconds(of host: Host) -> Int { announced[host] ?? idleSeconds }

    /// Returns the hosts whose requests need not wait any more, once.
    func takeOpened() -> [Host] {
      defer { opened = [] }
      return opened
    }

    /// Returns the next request to a host that may begin, and notes that it has begun; nil if there is
    /// none.
    func next(to host: Host) -> Waiting? {
      if hasRoom(host), let next = entries[host]?.queue.popFirst() {
        waiting[ObjectIdentifier(next.task)] = nil
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
      guard let removed = waiting.removeValue(forKey: ObjectIdentifier(task)) else { return false }
      entries[removed.host]?.queue.remove(removed)
      return true
    }

    /// Returns the tasks of some of the requests that wait.
    func waitingTasks(where isIncluded: (HTTPRequest) -> Bool) -> [CurlTask] {
      waiting.values.filter { isIncluded($0.request) }.map(\.task)
    }

    /// Removes all requests that wait.
    func removeAll() -> [CurlTask] {
      defer {
        waiting = [:]
        for host in entries.keys { entries[host]?.queue = WaitingList() }
      }
      return waiting.values.map(\.task)
    }

    private func hasRoom(_ host: Host) -> Bool {
      limit == 0 || entries[host].map(\.running) ?? 0 < limit || sharing.contains(host)
    }
  }
#endif
