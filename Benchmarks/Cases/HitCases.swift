import Weir

/// Queries that the cache answers, alone and among other queries that are watched.
enum HitCases {
  static let liveCounts = [0, 10, 100, 1_000, 10_000]

  static var all: [BenchmarkCase] {
    var cases: [BenchmarkCase] = []
    for form in Form.allCases {
      for size in Size.allCases {
        for live in liveCounts where live == 0 || form.isMeasuredAmongOthers {
          if size == .small || form.hasLargeVariant {
            cases.append(hit(form, size, live: live))
          }
        }
      }
    }
    return cases
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

    var isMeasuredAmongOthers: Bool { self == .typed || self == .untyped || self == .peek }
    var hasLargeVariant: Bool { self != .document && self != .text }
  }

  enum Size: String, CaseIterable {
    case small = "small"
    case list = "1000 items"
  }

  private static func hit(_ form: Form, _ size: Size, live: Int) -> BenchmarkCase {
    let scaling = Scaling(
      line: "\(form.rawValue), \(size.rawValue)", axis: "other live queries", size: live)
    return BenchmarkCase(
      name: "hit/\(form.rawValue)/\(size.rawValue)/\(live) live",
      scaling: form.isMeasuredAmongOthers ? scaling : nil
    ) {
      let answers = try AnswerExchange(posts: live + 1, todos: 1000)
      let measured = MeasuredClient(answers)
      let operations = postOperations(live + 1)
      let watched = await LiveQueries(Array(operations[..<live]), of: measured.client)
      let id = "\(live)"
      let warm = [operations[live], GraphQLOperation(GraphQLDocument(Documents.todos))]
      try await measured.cachePosts(warm)
      let requests = answers.requestCount
      return Workload(
        run: run(form, size, client: measured.client, id: id),
        check: { try expect(answers.requestCount == requests, "A hit has sent a request.") },
        tearDown: { await watched.end() }, countsAllocations: live == 0)
    }
  }

  private static func run(
    _ form: Form, _ size: Size, client: GraphQLClient, id: String
  ) -> (Int) async throws -> Void {
    switch form {
    case .typed: typed(size, client, id)
    case .untyped: untyped(size, client, id)
    case .peek: peek(size, client, id)
    case .typedPeek: typedPeek(size, client, id)
    case .document: document(client, id)
    case .text: text(client, id)
    }
  }
}

// MARK: - What is timed

extension HitCases {
  private static func typed(
    _ size: Size, _ client: GraphQLClient, _ id: String
  ) -> (Int) async throws -> Void {
    switch size {
    case .small:
      return { operations in
        let query = Queries.post
        for _ in 0..<operations {
          let result = await client.query(query, PostVariables(id: id))
          try expect(result.outcome == .hit && result.data?.post.id == id, wrong)
        }
      }
    case .list:
      return { operations in
        let query = Queries.todos
        for _ in 0..<operations {
          let result = await client.query(query)
          try expect(result.outcome == .hit && result.data?.todos.count == 1000, wrong)
        }
      }
    }
  }

  private static func untyped(
    _ size: Size, _ client: GraphQLClient, _ id: String
  ) -> (Int) async throws -> Void {
    let operation = operation(size, id)
    return { operations in
      for _ in 0..<operations {
        let result = await client.query(operation)
        try expect(result.outcome == .hit && result.data != nil, wrong)
      }
    }
  }

  private static func peek(
    _ size: Size, _ client: GraphQLClient, _ id: String
  ) -> (Int) async throws -> Void {
    let operation = operation(size, id)
    return { operations in
      for _ in 0..<operations {
        try expect(client.peek(operation)?.outcome == .hit, wrong)
      }
    }
  }

  private static func typedPeek(
    _ size: Size, _ client: GraphQLClient, _ id: String
  ) -> (Int) async throws -> Void {
    switch size {
    case .small:
      return { operations in
        let query = Queries.post
        for _ in 0..<operations {
          let result = client.peek(query, PostVariables(id: id))
          try expect(result?.outcome == .hit && result?.data?.post.id == id, wrong)
        }
      }
    case .list:
      return { operations in
        let query = Queries.todos
        for _ in 0..<operations {
          let result = client.peek(query)
          try expect(result?.outcome == .hit && result?.data?.todos.count == 1000, wrong)
        }
      }
    }
  }

  private static func document(
    _ client: GraphQLClient, _ id: String
  ) -> (Int) async throws -> Void {
    let document = GraphQLDocument(Documents.post)
    return { operations in
      for _ in 0..<operations {
        let operation = GraphQLOperation(document, variables: ["id": .string(id)])
        let result = await client.query(operation)
        try expect(result.outcome == .hit && result.data != nil, wrong)
      }
    }
  }

  private static func text(_ client: GraphQLClient, _ id: String) -> (Int) async throws -> Void {
    { operations in
      for _ in 0..<operations {
        let operation = GraphQLOperation(
          GraphQLDocument(Documents.post), variables: ["id": .string(id)])
        let result = await client.query(operation)
        try expect(result.outcome == .hit && result.data != nil, wrong)
      }
    }
  }

  private static func operation(_ size: Size, _ id: String) -> GraphQLOperation {
    switch size {
    case .small: GraphQLOperation(Queries.post.document, variables: PostVariables(id: id))
    case .list: GraphQLOperation(Queries.todos.document)
    }
  }

  private static var wrong: String { "A hit is none, or has not the data that were cached." }
}
