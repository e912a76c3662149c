import Testing
import Weir
import WeirNormalized

/// Tests over other kinds of stores prove nothing if the stores are not of these kinds.
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct StoreKindTests {
  @Test(
    "A store in a file alone shows what is in the file",
    .not(.memory, because: "no file is below it"))
  func kinds() async throws {
    let storage = try #require(StoreKind.storage())
    let (store, other) = (NormalizedStore(storage: storage), NormalizedStore(storage: storage))
    #expect(store.isAlone == (StoreKind.current == .file))
    guard store.isAlone else { return }
    let todo = CollectionTests.todo(1)
    try store.write(CollectionTests.data(1), for: todo)
    // Otherwise it might be saved last.
    try await store.flush()
    try other.write(CollectionTests.data(1, length: 5), for: todo)
    try await other.flush()
    #expect(store.read(todo) == CollectionTests.data(1, length: 5))
  }
}
