import Weir
import WeirNormalized

/// The published benchmark suite of graphcache (`exchanges/graphcache/benchmarks`), repeated: lists
/// of small todos and of deeply nested authors go through a client into an empty cache, by a
/// mutation; are read by a query that the server answers; and are read again from the cache.
///
/// The suite's selection of authors is not valid GraphQL; here it is what its data suggests.
enum SuiteCases {
  static var all: [BenchmarkCase] {
    [100, 1_000, 5_000, 10_000, 50_000].flatMap { steps(.todos, $0) }
      + [100, 1_000, 10_000].flatMap { steps(.authors, $0) }
      + [100, 200, 400, 800].map { writeWithoutUpdater($0) } + [addTodo, updateTodo]
  }

  private enum Content: String {
    case todos
    case authors

    var selection: String {
      switch self {
      case .todos: "{ id text complete }"
      case .authors:
        """
        { id name recognized book { id title published genre rating \
        review { id score name reviewer { id name verified } } } }
        """
      }
    }

    var query: GraphQLOperation {
      GraphQLOperation(GraphQLDocument("query All { \(rawValue) \(selection) }"))
    }

    var mutation: GraphQLOperation {
      let name = self == .todos ? "addTodos" : "addAuthors"
      return GraphQLOperation(GraphQLDocument("mutation Add { \(name) \(selection) }"))
    }

    func item(_ id: Int) -> String {
      switch self {
      case .todos: #"{"id":"\#(id)","text":"Todo \#(id)","complete":false,"__typename":"Todo"}"#
      case .authors:
        #"{"id":"\#(id)","name":"Author \#(id)","recognized":\#(id % 2 == 1),"#
          + #""book":{"id":"\#(id)","title":"Book \#(id)","published":\#(id % 2 == 1),"#
          + #""genre":"Non-Fiction","rating":\#(id * 7),"#
          + #""review":{"id":"\#(id)","score":\#(id),"name":"Review \#(id)","#
          + #""reviewer":{"id":"\#(id)","name":"Person \#(id)","verified":\#(id % 2 == 1),"#
          + #""__typename":"Person"},"__typename":"Review"},"__typename":"Book"},"#
          + #""__typename":"Author"}"#
      }
    }

    func response(_ field: String, _ count: Int) -> [UInt8] {
      let items = (0..<count).map(item).joined(separator: ",")
      return Array(#"{"data":{"\#(field)":[\#(items)]}}"#.utf8)
    }

    /// The right check sums: with the type names that the server sends, and without.
    func checksums(_ count: Int) throws -> [Int] {
      let whole = try TodoStore.data(of: response("all", count)).checksum
      let names = self == .todos ? ["Todo"] : ["Author", "Book", "Review", "Person"]
      return [whole, whole - count * names.reduce(0) { $0 + $1.utf8.count }]
    }
  }

  // MARK: Lists

  /// A client with an empty cache, and a server that answers the query and the mutation.
  private static func client(
    _ content: Content, _ count: Int, hasUpdater: Bool
  ) -> () -> GraphQLClient {
    let query = content.response(content.rawValue, count)
    let field = content == .todos ? "addTodos" : "addAuthors"
    let mutation = content.response(field, count)
    let server = InlineExchange { operation, _ in
      .just(parsed(operation.kind == .mutation ? mutation : query))
    }
    var configuration = TodoStore.configuration()
    if hasUpdater { configuration.mutations[field] = MutationPolicy { _, _ in } }
    return { [configuration] in
      GraphQLClient([.dedup, .normalizedCache(NormalizedStore(configuration)), server])
    }
  }

  private enum Step: String, CaseIterable {
    case write
    case read
    case hit
  }

  private static func steps(_ content: Content, _ count: Int) -> [BenchmarkCase] {
    Step.allCases.map { step in
      BenchmarkCase(
        name: "graphcache suite/\(step.rawValue) \(content.rawValue)/\(count)",
        yardstick: .jsonSerialization(count),
        scaling: Scaling(
          line: "\(step.rawValue) \(content.rawValue)", axis: "items of the graphcache suite",
          size: count),
        isSlow: count > 1_000
      ) {
        let makeClient = client(content, count, hasUpdater: true)
        let (query, mutation) = (content.query, content.mutation)
        let sums = try content.checksums(count)
        var measured = makeClient()
        return Workload(
          reset: {
            measured = makeClient()
            if step != .write { _ = await measured.mutate(mutation) }
            if step == .hit { _ = await measured.query(query) }
          },
          run: { _ in
            let result =
              step == .write ? await measured.mutate(mutation) : await measured.query(query)
            try expect(
              sums.contains(result.data?.checksum ?? 0)
                && (result.outcome == .hit) == (step == .hit),
              "A list is wrong, or does not come from where it should.")
          })
      }
    }
  }

  /// As published: the mutation has no updater, so the list of each type that it returns becomes
  /// stale.
  private static func writeWithoutUpdater(_ count: Int) -> BenchmarkCase {
    BenchmarkCase(
      name: "graphcache suite/write todos without updater/\(count)",
      yardstick: .jsonSerialization(count),
      scaling: Scaling(
        line: "write todos without updater", axis: "items of the graphcache suite", size: count)
    ) {
      let makeClient = client(.todos, count, hasUpdater: false)
      let mutation = Content.todos.mutation
      let sums = try Content.todos.checksums(count)
      var measured = makeClient()
      return Workload(
        reset: { measured = makeClient() },
        run: { _ in
          let result = await measured.mutate(mutation)
          try expect(sums.contains(result.data?.checksum ?? 0), "The mutation has failed.")
        })
    }
  }

  // MARK: One todo of a hundred

  private static var addTodo: BenchmarkCase {
    one("add todo", "mutation Add { addTodo { id text complete } }") {
      #"{"data":{"addTodo":\#(Content.todos.item(1_000 + $0))}}"#
    }
  }

  private static var updateTodo: BenchmarkCase {
    one("update todo", "mutation Update { updateTodo { id text complete } }") {
      #"{"data":{"updateTodo":{"id":"99","text":"Todo \#($0)","complete":true,"__typename":"Todo"}}}"#
    }
  }

  /// A mutation of one todo, after a hundred were added and read.
  private static func one(
    _ name: String, _ text: String, _ answer: @escaping @Sendable (Int) -> String
  ) -> BenchmarkCase {
    BenchmarkCase(name: "graphcache suite/\(name)/100", yardstick: .jsonSerialization(1)) {
      let round = Counter()
      let (adding, all) = (
        Content.todos.response("addTodos", 100), Content.todos.response("todos", 100)
      )
      let server = InlineExchange { operation, _ in
        switch operation.name {
        case "All": .just(parsed(all))
        case "Add" where operation.text.contains("addTodos"): .just(parsed(adding))
        default: .just(parsed(Array(answer(round.next()).utf8)))
        }
      }
      let mutation = GraphQLOperation(GraphQLDocument(text))
      var client = GraphQLClient([])
      return Workload(
        reset: {
          let store = NormalizedStore(TodoStore.configuration())
          client = GraphQLClient([.dedup, .normalizedCache(store), server])
          _ = await client.mutate(Content.todos.mutation)
          _ = await client.query(Content.todos.query)
        },
        run: { _ in
          let result = await client.mutate(mutation)
          try expect((result.data?.checksum ?? 0) > 5, "The mutation has failed.")
        })
    }
  }
}
