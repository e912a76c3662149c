#if DEBUG
  import Testing
  import Weir
  @testable import WeirNormalized

  /// Counts how often one response takes the lock of a store's state, for which other threads wait.
  @Suite
  struct LockSectionTests {
    private let store = NormalizedStore()
    private let todos = GraphQLOperation("{ todos { id text } }")

    private static func data(_ count: Int, text: String) throws -> JSON {
      let todos = (0..<count).map { #"{"__typename":"Todo","id":"\#($0)","text":"\#(text)"}"# }
      return try JSON(parsing: Array(#"{"todos":[\#(todos.joined(separator: ","))]}"#.utf8))
    }

    /// Returns how often the store takes its lock while it receives a result.
    private func sections(of result: OperationResult) -> Int {
      _ = store.hit(for: todos)
      let sentAt = store.beginRequest(for: todos).sentAt
      defer { store.endRequest(sentAt) }
      let before = store.state.withLock(\.sectionCount)
      let delivered = store.receive(result, of: todos, sentAt: sentAt)
      #expect(delivered.data?["todos"]?.count == result.data?["todos"]?.count)
      return store.state.withLock(\.sectionCount) - before - 1
    }

    @Test("A small response takes the lock twice, an unchanged one once (N3.5)")
    func smallResponse() throws {
      let result = OperationResult(data: try Self.data(3, text: "a"))
      #expect(sections(of: result) == 2)
      #expect(sections(of: result) == 1)
    }

    @Test("A response that is merged outside the lock takes it three times (N3.5)")
    func largeResponse() throws {
      #expect(sections(of: OperationResult(data: try Self.data(2000, text: "a"))) == 3)
    }

    @Test("The errors of a small response are looked up outside the lock if they are many (N3.5)")
    func manyErrors() throws {
      let error = GraphQLError(message: "no", path: [.key("todos"), .index(0), .key("text")])
      func result(_ count: Int) throws -> OperationResult {
        let data = #"{"todos":[{"__typename":"Todo","id":"\#(count)","text":null}]}"#
        return OperationResult(
          data: try JSON(parsing: data),
          error: OperationError(graphQLErrors: Array(repeating: error, count: count)))
      }
      // One notes what a watch may go on showing.
      #expect(sections(of: try result(10)) == 3)
      #expect(sections(of: try result(100_000)) == 4)
    }

    @Test("A failure takes the lock at most three times (N3.5)")
    func failure() {
      let error = OperationError(code: .transport, message: "The connection was lost.")
      #expect(sections(of: OperationResult(error: error)) <= 3)
    }
  }
#endif
