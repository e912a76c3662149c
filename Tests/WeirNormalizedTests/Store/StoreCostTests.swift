import TestSupport
import Testing
import Weir
@testable import WeirNormalized
@testable import WeirRecords

/// How much it costs to work with a large store.
@Suite(.timeLimit(.minutes(10)))
struct StoreCostTests {
  /// The processor time that it takes to read a list in pages: a long one, and short ones within it.
  private static func pageTime(_ count: Int) throws -> Duration {
    var configuration = NormalizedCacheConfiguration()
    configuration.fields["Query.todos"] = .offsetPages(offset: "skip")
    let store = NormalizedStore(configuration)
    let long = PageTests.page(["skip": 0, "limit": 6_000])
    try store.write(PageTests.data(Array(0..<6_000)), for: long)
    for number in 0..<count {
      let start = number * 20
      try store.write(
        PageTests.data(Array(start..<start + 10)),
        for: PageTests.page(["skip": .int(Int64(start)), "limit": 10]))
    }
    return processorTime { #expect(store.read(long)?["todos"]?.count == 6_000) }
  }

  @Test("Short pages within a long one do not move the rest of it each time (N7)")
  func pages() throws {
    let few = try (0..<2).map { _ in try Self.pageTime(3) }.min() ?? .zero
    let many = try (0..<2).map { _ in try Self.pageTime(300) }.min() ?? .zero
    #expect(many < few * 3)
  }

  /// The processor time that mutations take to find what is new to them, while one takes long.
  private static func newEntityTime(after count: Int) -> Duration {
    var new = NewEntities()
    new.beginMutation(.next())
    let table = RootType.query.reference.table
    func note(_ number: Int) {
      var changes = ChangeSet()
      let record = RecordReference(table: table, row: RowID(index: number))
      changes.changes.append(.init(record: record, slots: 0, fields: [], isNew: true))
      new.note(changes)
    }
    for number in 0..<count { note(number) }
    return processorTime {
      for number in 0..<200 {
        let sentAt = LogicalInstant.next()
        new.beginMutation(sentAt)
        note(count + number)
        #expect(new.records(since: sentAt).count == 1)
        new.endMutation(sentAt)
      }
    }
  }

  @Test("A mutation visits only the entities that have arrived since it was sent (N5.2)")
  func newEntities() {
    let few = Self.newEntityTime(after: 10)
    let many = Self.newEntityTime(after: 20_000)
    #expect(many < few * 10)
  }

  @Test("While mutations overlap, what arrived before all of them is forgotten (N8.2)")
  func overlappingMutations() {
    var new = NewEntities()
    var previous: LogicalInstant?
    for number in 0..<1_000 {
      let sentAt = LogicalInstant.next()
      new.beginMutation(sentAt)
      var changes = ChangeSet()
      let record = RecordReference(
        table: RootType.query.reference.table, row: RowID(index: number))
      changes.changes.append(.init(record: record, slots: 0, fields: [], isNew: true))
      new.note(changes)
      if let previous { new.endMutation(previous) }
      #expect(new.records(since: sentAt) == [record])
      previous = sentAt
    }
    #expect(new.records(since: .distantPast).count < 10)
  }

  @Test("Whether a field is known costs the same with many combinations of arguments (N5.2)")
  func fieldNames() throws {
    func time(_ count: Int) throws -> Duration {
      let store = NormalizedStore()
      let operation: GraphQLDocument = "query Page($skip: Int) { todos(skip: $skip) { id } }"
      for number in 0..<count {
        let page = GraphQLOperation(operation, variables: ["skip": .int(Int64(number))])
        try store.write(["todos": []], for: page)
      }
      let time = processorTime {
        for _ in 0..<100 { #expect(!store.catalog.hasField(named: "users")) }
      }
      #expect(store.catalog.hasField(named: "todos"))
      return time
    }
    let few = try time(10)
    #expect(try time(5_000) < few * 10)
  }
}
