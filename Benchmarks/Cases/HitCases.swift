import Weir

/// Queries that the cache answers, alone and among other queries that are watched.
///
/// A small result is looked at in every field. A list of 1,000 items is looked at in every field,
/// or, in the cases called lazy, only its count.
enum HitCases {
  static var all: [BenchmarkCase] {
    Form.allCases.flatMap { form in
      [0, 10, 100, 1_000, 10_000].filter { $0 == 0 || form.isMeasuredAmongOthers }
        .map { hit(form, .small, live: $0) }
        + (form.hasLargeVariant
          ? [hit(form, .lazyList, live: 0), hit(form, .list, live: 0)] : [])
        + (form.isMeasuredAmongOthers ? [hit(form, .lazyList, live: 10_000)] : [])
    }
  }

  /// How a caller asks.
  enum Form: String, CaseIterable {
    /// A typed query, with new variables each time.
    case typed
    /// An operation that is made once.
    case untyped
    /// An operation that is made once, without suspension.
    case peek
    /// A typed query, with new variables each time, without suspension.
    case typedPeek = "typed peek"
    /// A document that is parsed once, with new variables each time.
    case document = "document and variables"
    /// A text, with new variables each time.
    case text = "text and variables"
    /// A text, with new variables each time, without suspension.
    case textPeek = "text peek"

    var isMeasuredAmongOthers: Bool { self == .typed || self == .untyped || self == .peek }
    var hasLargeVariant: Bool { self != .document && self != .text && self != .textPeek }
  }

  enum Size: String, CaseIterable {
    case small
    case lazyList = "1000 items, lazy"
    case list = "1000 items"
  }

  private static func hit(_ form: Form, _ size: Size, live: Int) -> BenchmarkCase {
    BenchmarkCase(
      name: "hit/\(form.rawValue)/\(size.rawValue)/\(live) live",
      yardstick: size == .list ? .jsonSerialization(1_000) : .lookUp,
      scaling: form.isMeasuredAmongOthers && size == .small
        ? Scaling(line: "hit, \(form.rawValue)", axis: "other live queries", size: live) : nil
    ) {
      let answers = AnswerExchange(posts: live + 1, todos: 1000)
      let measured = MeasuredClient(answers)
      let views = await LiveViews(
        (0..<live).map { measured.client.watch(Queries.post, IDVariables(id: "\($0)")) },
        on: .pool, text: { $0.post.title })
      try await measured.cache([postOperation(live), Queries.todos.operation(NoVariables())])
      let requests = answers.requestCount
      let asking = try Asking(measured.client, id: live, size)
      return Workload(
        run: { try await asking.run(form, $0) },
        check: { try expect(answers.requestCount == requests, "A hit has sent a request.") },
        tearDown: { await views.end() }, isCounted: live == 0 && size != .list)
    }
  }
}

/// One way to ask again and again for the same.
private struct Asking {
  private let client: GraphQLClient
  private let id: String
  private let size: HitCases.Size
  private let sum: Int
  private let operation: GraphQLOperation

  init(_ client: GraphQLClient, id: Int, _ size: HitCases.Size) throws {
    self.client = client
    self.id = "\(id)"
    self.size = size
    operation =
      size == .small ? postOperation(id) : Queries.todos.operation(NoVariables())
    sum = try size == .small ? Payloads.postChecksum(id) : Payloads.todosChecksum(1_000)
  }

  /// Asks the given number of times.
  func run(_ form: HitCases.Form, _ operations: Int) async throws {
    switch form {
    case .typed:
      if size == .small { try await typed(operations) } else { try await typedList(operations) }
    case .untyped: try await untyped(operations)
    case .peek: try peek(operations)
    case .typedPeek:
      if size == .small { try typedPeek(operations) } else { try typedPeekOfList(operations) }
    case .document: try await document(operations)
    case .text: try await text(operations)
    case .textPeek: try textPeek(operations)
    }
  }

  private func typed(_ operations: Int) async throws {
    let query = Queries.post
    for _ in 0..<operations { try check(await client.query(query, IDVariables(id: id))) }
  }

  private func typedList(_ operations: Int) async throws {
    let query = Queries.todos
    for _ in 0..<operations { try check(await client.query(query)) }
  }

  private func untyped(_ operations: Int) async throws {
    for _ in 0..<operations { try check(await client.query(operation)) }
  }

  private func peek(_ operations: Int) throws {
    for _ in 0..<operations { try check(client.peek(operation)) }
  }

  private func typedPeek(_ operations: Int) throws {
    let query = Queries.post
    for _ in 0..<operations { try check(client.peek(query, IDVariables(id: id))) }
  }

  private func typedPeekOfList(_ operations: Int) throws {
    let query = Queries.todos
    for _ in 0..<operations { try check(client.peek(query)) }
  }

  private func document(_ operations: Int) async throws {
    let document = GraphQLDocument(Documents.post)
    for _ in 0..<operations {
      let operation = GraphQLOperation(document, variables: ["id": .string(id)])
      try check(await client.query(operation))
    }
  }

  private func text(_ operations: Int) async throws {
    for _ in 0..<operations {
      let operation = GraphQLOperation(
        GraphQLDocument(Documents.post), variables: ["id": .string(id)])
      try check(await client.query(operation))
    }
  }

  private func textPeek(_ operations: Int) throws {
    for _ in 0..<operations {
      let operation = GraphQLOperation(
        GraphQLDocument(Documents.post), variables: ["id": .string(id)])
      try check(client.peek(operation))
    }
  }

  // MARK: Looking at results

  private func check(_ result: TypedResult<PostData>?) throws {
    try expect(result?.outcome == .hit && result?.data?.checksum == sum, wrong)
  }

  private func check(_ result: TypedResult<TodosData>?) throws {
    try expect(result?.outcome == .hit && result?.data?.todos.count == 1_000, wrong)
    if size == .list { try expect(result?.data?.checksum == sum, wrong) }
  }

  private func check(_ result: OperationResult?) throws {
    try expect(result?.outcome == .hit, wrong)
    switch size {
    case .small: try expect(result?.data?.postChecksum == sum, wrong)
    case .list: try expect(result?.data?.todosChecksum == sum, wrong)
    case .lazyList: try expect(result?.data?["todos"]?.count == 1_000, wrong)
    }
  }

  private var wrong: String { "A hit was not a hit, or its data is wrong." }
}
