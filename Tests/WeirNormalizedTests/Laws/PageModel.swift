@testable import Weir
@testable import WeirNormalized
import TestSupport
import WeirTesting

/// A store with pages of the list of a simulated server.
///
/// A second store does the same without optimistic results and restarts: the two must show the same.
struct PageModel {
  enum Step {
    case change(UInt64)
    /// The first page is requested, the page behind the list that is shown, or before it.
    case first(UInt64)
    case more(UInt64)
    case previous(UInt64)
    /// A page is requested again.
    case refetch(UInt64)
    /// A request is sent that is answered later.
    case send(UInt64)
    case answer(UInt64)
    case show(UInt64)
    case settle(UInt64, commits: Bool)
    case mutate(UInt64)
    /// The app changes the list, or removes an entity.
    case update(UInt64)
    case remove(UInt64)
    case invalidate(UInt64)
    case collect(UInt64)
    case restart
    case converge(UInt64)
  }

  struct Request {
    let page: PageRequest
    let answer: PageAnswer
    let clock: Int
    let sentAt: [LogicalInstant]
  }

  struct Layer {
    let id: UInt64
    let mutation: PageMutation
    let clock: Int
    let sentAt: [LogicalInstant]
  }

  var server: PageServer
  let document: GraphQLDocument
  let hasMembership: Bool
  let storage: (any RecordStorage)?
  let goesBackward: Bool
  /// The store, and the one that has no optimistic results; that is nil once memory has evicted data.
  var store: NormalizedStore
  var twin: NormalizedStore?
  var clock = 0
  var known: [PageRequest] = []
  var pending: [Request] = []
  var layers: [Layer] = []
  /// By an entity that has been removed, when; it must not be shown until a later response has it.
  var removed: [Int: Int] = [:]
  var everRemoved: Set<Int> = []
  /// By cursor, the elements of the pages that ended with it; and those of pages that were the last ones.
  var given: [String: [Set<Int>]] = [:]
  var lastPages: [Set<Int>] = []
  /// Whether the app has changed the list itself.
  var isEdited = false
  var watches: [PageRequest: (signal: RefreshSignal, data: JSON?)] = [:]
  var log: [String] = []

  init(_ server: PageServer, hasMembership: Bool, goesBackward: Bool, storage: (any RecordStorage)?)
  {
    self.server = server
    document = Self.document(server.kind)
    self.hasMembership = hasMembership
    self.goesBackward = goesBackward
    self.storage = storage
    let configuration = Self.configuration(server.kind, hasMembership: hasMembership)
    store = NormalizedStore(configuration, storage: storage)
    twin = NormalizedStore(configuration)
  }

  static func configuration(
    _ kind: PageServer.Kind, hasMembership: Bool
  ) -> NormalizedCacheConfiguration {
    var configuration = NormalizedCacheConfiguration()
    configuration.fields["Query.list"] =
      switch kind {
      case .cursorEdges, .edges, .nodes: .connection()
      case .tokens: .tokenPages()
      case .offsets: .offsetPages(offset: "skip")
      }
    configuration.mutations["delete"] = .removing("Todo", idFrom: "id")
    if hasMembership {
      configuration.memberships = [
        ListMembership(
          of: "Todo", in: "Query.list",
          orderedBy: { ($0["rank"]?.int ?? 0) < ($1["rank"]?.int ?? 0) }, includes: { _, _ in true }
        )
      ]
    }
    return configuration
  }

  /// Returns the first problem; nil if there is none.
  mutating func run(_ steps: [Step]) async throws -> String? {
    for (number, step) in (steps + [.converge(1)]).enumerated() {
      log.append("\(number): \(step)")
      if let problem = try await perform(step) ?? check() {
        return "\(problem)\n\(server.kind) \(server.cursors) filters \(server.filters) "
          + "membership \(hasMembership), last shown: \(shown(known.first)), server: \(server.ids)\n"
          + log.joined(separator: "\n")
      }
    }
    return nil
  }
}

/// A mutation of the server's list.
enum PageMutation {
  case edit(Int)
  case delete(Int)
  case add(Int, rank: Int64)

  var operation: GraphQLOperation {
    let (text, id) =
      switch self {
      case .edit(let id): ("edit(id: $id) { id text rank }", id)
      case .delete(let id): ("delete(id: $id)", id)
      case .add(let id, _): ("add(id: $id) { id text rank }", id)
      }
    return GraphQLOperation(
      GraphQLDocument("mutation ($id: ID!) { \(text) }"), variables: ["id": .string("\(id)")])
  }

  var id: Int {
    switch self {
    case .edit(let id), .delete(let id), .add(let id, _): id
    }
  }

  func perform(on server: inout PageServer) {
    switch self {
    case .edit(let id): server.edit(id)
    case .delete(let id): server.remove(id)
    case .add(let id, let rank): server.insert(id, rank: rank)
    }
  }

  func data(_ server: PageServer) -> JSONValue {
    switch self {
    case .edit(let id): ["edit": server.element(id)]
    case .delete: ["delete": true]
    case .add(let id, let rank): ["add": server.element(id, at: rank)]
    }
  }
}

// MARK: - Reading

extension PageModel {
  func operation(_ request: PageRequest) -> GraphQLOperation {
    var variables: JSONValue = [:]
    variables["first"] = request.first.map { .int(Int64($0)) }
    variables["last"] = request.last.map { .int(Int64($0)) }
    variables["before"] = request.before.map { .string($0) }
    variables["after"] = request.after.map {
      server.kind == .offsets ? .int(Int64($0) ?? 0) : .string($0)
    }
    return GraphQLOperation(document, variables: variables)
  }

  static func document(_ kind: PageServer.Kind) -> GraphQLDocument {
    let todo = "{ id text rank }"
    let connection = "list(first: $first, after: $after, last: $last, before: $before)"
    let list =
      switch kind {
      case .cursorEdges: "\(connection) { edges { cursor node \(todo) } \(pageInfo) }"
      case .edges: "\(connection) { edges { node \(todo) } \(pageInfo) }"
      case .nodes: "\(connection) { nodes \(todo) \(pageInfo) }"
      case .tokens: "list(limit: $first, nextToken: $after) { items \(todo) nextToken }"
      case .offsets: "list(skip: $after, limit: $first) \(todo)"
      }
    return GraphQLDocument(
      "query ($first: Int, $after: Cursor, $last: Int, $before: Cursor) { \(list) }")
  }

  private static let pageInfo = "pageInfo { startCursor endCursor hasPreviousPage hasNextPage }"

  func list(_ data: JSON?) -> PageAnswer? {
    guard let list = data?["list"] else { return nil }
    let elements: [JSON]? =
      switch server.kind {
      case .cursorEdges, .edges: list["edges"]?.elements.compactMap { $0["node"] }
      case .nodes: list["nodes"]?.elements.map(\.self)
      case .tokens: list["items"]?.elements.map(\.self)
      case .offsets: list.elements.map(\.self)
      }
    let information = list["pageInfo"]
    var answer = PageAnswer()
    answer.ids = elements?.compactMap { $0["id"]?.string.flatMap { Int($0) } } ?? []
    answer.start = information?["startCursor"]?.string
    answer.end = (information?["endCursor"] ?? list["nextToken"])?.string
    answer.hasPrevious = information?["hasPreviousPage"]?.bool ?? false
    answer.hasNext = information?["hasNextPage"]?.bool ?? (answer.end != nil)
    return answer
  }

  func shown(_ request: PageRequest?) -> String {
    guard let request else { return "nothing" }
    guard let list = list(store.read(operation(request))) else { return "missing" }
    return "\(list.hasPrevious ? "<" : "")\(list.ids)\(list.hasNext ? ">" : "") \(list.end ?? "-")"
  }
}

// MARK: - Laws

extension PageModel {
  mutating func check() -> String? {
    for request in known {
      let data = store.read(operation(request))
      if let problem = check(data, of: request) { return "\(request): \(problem)" }
      if let watch = watches[request], watch.data != data, watch.signal.firedInstant == nil {
        return "\(request): a change does not wake its watch"
      }
      if watches[request].map({ $0.signal.firedInstant != nil }) ?? true {
        guard let signal = store.result(of: operation(request))?.signal else { continue }
        signal.forEachSource { $0.prepareToWait() }
        watches[request] = (signal, data)
      }
    }
    return nil
  }

  private func check(_ data: JSON?, of request: PageRequest) -> String? {
    if layers.isEmpty, let twin {
      let other = twin.WeirNormalized::read(operation(request))
      if data != other {
        return "shows \(list(data).map { "\($0.ids)" } ?? "nothing"), "
          + "without optimistic results \(list(other).map { "\($0.ids)" } ?? "nothing"): "
          + "\(data.map { "\($0)" } ?? "") \(other.map { "\($0)" } ?? "")"
      }
    }
    guard let list = list(data) else { return nil }
    if Set(list.ids).count < list.ids.count { return "shows an element twice: \(list.ids)" }
    // A membership puts an entity that is in an optimistic result into the list.
    let optimistic = hasMembership ? Set(layers.map(\.mutation.id)) : []
    if let id = list.ids.first(where: { removed[$0] != nil && !optimistic.contains($0) }) {
      return "shows \(id), which was removed: \(list.ids)"
    }
    return isEdited || hasMembership || server.kind == .offsets || !layers.isEmpty
      ? nil : checkEnd(of: list)
  }

  /// The list goes on behind the cursor of the page that has its last element.
  private func checkEnd(of list: PageAnswer) -> String? {
    let pages =
      list.hasNext ? list.end.flatMap { given[$0] } ?? [] : lastPages
    let isRight = pages.contains { page in
      page.isSubset(of: everRemoved) || list.ids.last.map(page.contains) ?? false
    }
    return isRight ? nil : "ends with \(list.end ?? "-"), next: \(list.hasNext), \(list.ids)"
  }
}
