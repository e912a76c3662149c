import CEnqueueCount
import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Counts how often the running task is enqueued on the pool.
private struct EnqueueCount {
  private let place: Int32

  init() {
    place = withUnsafeCurrentTask { task in
      // Proof: `UnsafeCurrentTask` contains nothing but the address of the task, which outlives the
      // count: the task itself stops it.
      weir_start_counting_enqueues(unsafeBitCast(task, to: UInt.self))
    }
    precondition(place >= 0, "Too many tasks are counted at once.")
  }

  var value: UInt64 { weir_counted_enqueues(place) }

  func stop() { weir_stop_counting_enqueues(place) }
}

/// A view on the main actor: a task that follows a query and passes on what it shows.
@MainActor
private final class View {
  /// For each result that was shown, how often the task had been enqueued on the pool.
  private(set) var enqueued: [UInt64] = []
  private let task: Task<Void, Never>
  private let names: AsyncStream<String>.Iterator

  init(_ id: String, of client: GraphQLClient) {
    let (names, continuation) = AsyncStream.makeStream(of: String.self)
    self.names = names.makeAsyncIterator()
    let holder = Holder()
    task = Task {
      let count = EnqueueCount()
      defer { count.stop() }
      for await result in client.watch(MainActorTests.todo(id)) {
        holder.view?.enqueued.append(count.value)
        continuation.yield(result.data?["todo"]?["name"]?.string ?? "nothing")
      }
    }
    holder.view = self
  }

  /// Returns the next name that the view shows.
  func next() async -> String? {
    var names = names
    return await names.next(isolation: #isolation)
  }

  func end() async {
    task.cancel()
    await task.value
  }

  private final class Holder {
    weak var view: View?
  }
}

/// What happens on the main actor stays there: a thread of the pool in between costs more than the
/// rest of a small step.
@Suite(.timeLimit(.minutes(10)))
@MainActor
struct MainActorTests {
  fileprivate nonisolated static func todo(_ id: String) -> GraphQLOperation {
    GraphQLOperation(
      "query ($id: ID!) { todo(id: $id) { __typename id name } }", variables: ["id": .string(id)])
  }

  private static let rename = GraphQLOperation(
    "mutation { rename(id: 1) { __typename id name } }")

  private nonisolated static func entity(_ id: String, _ name: String) -> String {
    #"{"__typename":"Todo","id":"\#(id)","name":"\#(name)"}"#
  }

  private nonisolated static func answer(_ operation: GraphQLOperation) -> OperationResult {
    guard operation.kind == .query else { return .data(#"{"rename":\#(entity("1", "new"))}"#) }
    let id = (try? JSON(parsing: operation.variables))?["id"]?.string ?? ""
    return .data(#"{"todo":\#(entity(id, "old"))}"#)
  }

  private static func client(_ server: some Exchange) -> GraphQLClient {
    GraphQLClient([.dedup, .cache(NormalizedStore()), server])
  }

  @concurrent private nonisolated static func onPool(_ passes: Locked<Int>) async {
    // Without work, the compiler would leave out the way.
    passes.withLock { $0 += 1 }
  }

  @Test("A way over the pool is counted: otherwise none of these tests could fail")
  func control() async {
    let (count, passes) = (EnqueueCount(), Locked(0))
    for number in 1...2 {
      await Self.onPool(passes)
      #expect(count.value == number)
    }
    count.stop()
  }

  @Test("A mutation on the main actor wakes a view there, and nothing on the pool (M2)")
  func wake() async {
    let client = Self.client(ScriptedExchange.immediate(Self.answer))
    let woken = View("1", of: client)
    let sleeping = View("2", of: client)
    #expect(await woken.next() == "old")
    #expect(await sleeping.next() == "old")
    let count = EnqueueCount()
    _ = await client.mutate(Self.rename)
    #expect(count.value == 0)
    count.stop()
    #expect(await woken.next() == "new")
    #expect(woken.enqueued == [0, 0])
    #expect(sleeping.enqueued == [0])
    await woken.end()
    await sleeping.end()
  }

  @Test("A caller on the main actor that waits for a server returns to it directly (M2)")
  func waiting() async {
    let gate = Gate()
    let client = Self.client(
      ScriptedExchange { operation in
        await gate.pass()
        return Self.answer(operation)
      })
    for operation in [Self.rename, Self.todo("1")] {
      gate.close()
      let opener = Task { gate.open() }
      let count = EnqueueCount()
      let result =
        operation.kind == .mutation ? await client.mutate(operation) : await client.query(operation)
      #expect(result.error == nil)
      #expect(count.value == 0)
      count.stop()
      await opener.value
    }
  }

  @Test("A view on the main actor shows an optimistic result without leaving it (M2)")
  func optimistic() async {
    let gate = Gate()
    let client = Self.client(
      ScriptedExchange { operation in
        if operation.kind == .mutation { await gate.pass() }
        return Self.answer(operation)
      })
    let view = View("1", of: client)
    #expect(await view.next() == "old")
    var rename = Self.rename
    rename.context.optimisticData = [
      "rename": ["__typename": "Todo", "id": "1", "name": "expected"]
    ]
    let mutation = Task { [rename] in await client.mutate(rename) }
    #expect(await view.next() == "expected")
    gate.open()
    #expect(await mutation.value.error == nil)
    #expect(await view.next() == "new")
    #expect(view.enqueued == [0, 0, 0])
    await view.end()
  }
}
