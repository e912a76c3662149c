import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Mistakes in the configuration are reported (N1.7).
@Suite(.timeLimit(.minutes(10)))
struct ConfigurationTests {
  private static let sdl = """
    type Query {
      books(first: Int, genre: String): [Book!]! book(isbn: ID): Book todo(id: ID!): Todo
      feed(nextToken: String): Todo
    }
    type Mutation { addTodo(text: String): Todo deleteTodo(id: ID!): Todo }
    interface Product { sku: ID! } type Book implements Product { sku: ID! isbn: ID! }
    type Todo { id: ID! text: String }
    """

  /// A configuration with one mistake, and what is reported about it with a schema.
  private static let mistakes:
    [(mistake: @Sendable (inout NormalizedCacheConfiguration) -> Void, told: String)] = [
      (
        { $0.keys["Bok"] = .field("isbn") },
        #"keys["Bok"]: the schema has no type named Bok. Did you mean Book?"#
      ),
      (
        { $0.keys["Book"] = .field("isnb") },
        #"keys["Book"]: the schema has no field of Book named isnb. Did you mean isbn?"#
      ),
      (
        { $0.groups["Tood"] = "T" },
        #"groups["Tood"]: the schema has no type named Tood. Did you mean Todo?"#
      ),
      (
        { $0.timeToLive["Boook"] = .zero },
        #"timeToLive["Boook"]: the schema has no type named Boook. Did you mean Book?"#
      ),
      (
        { $0.fields["Query.boks"] = FieldPolicy() },
        #"fields["Query.boks"]: the schema has no field of Query named boks. Did you mean books?"#
      ),
      (
        { $0.fields["Query.todo"] = .redirecting(to: "Tdo", idFrom: "id") },
        #"fields["Query.todo"]: the schema has no type or group named Tdo. Did you mean Todo?"#
      ),
      (
        { $0.fields["Query.todo"] = .redirecting(to: "Todo", idFrom: "ID") },
        #"fields["Query.todo"]: the schema has no argument of Query.todo named ID. Did you mean id?"#
      ),
      (
        { $0.fields["Query.todo"] = .redirecting(to: "Todo", idFrom: "ids.0") },
        #"fields["Query.todo"]: the schema has no argument of Query.todo named ids. Did you mean id?"#
      ),
      (
        { $0.fields["Query.books"] = .connection(filter: ["gnre"]) },
        #"fields["Query.books"]: the schema has no argument of Query.books named gnre. Did you mean genre?"#
      ),
      (
        { $0.fields["Query.books"] = .offsetPages() },
        #"fields["Query.books"]: the schema has no argument of Query.books named offset."#
      ),
      (
        { $0.fields["Query.books"] = .offsetPages(offset: "first", limit: "frist") },
        #"fields["Query.books"]: the schema has no argument of Query.books named frist. Did you mean first?"#
      ),
      (
        { $0.fields["Query.books"] = .tokenPages(argument: "gener") },
        #"fields["Query.books"]: the schema has no argument of Query.books named gener. Did you mean genre?"#
      ),
      (
        { $0.fields["Query.books"] = .pages(arguments: ["frist"]) { $0.incoming } },
        #"fields["Query.books"]: the schema has no argument of Query.books named frist. Did you mean first?"#
      ),
      (
        { $0.mutations["adTodo"] = MutationPolicy() },
        #"mutations["adTodo"]: the schema has no field of the mutation or subscription root named adTodo. Did you mean addTodo?"#
      ),
      (
        { $0.mutations["addTodo"] = .refreshing("Query.todoes") },
        #"mutations["addTodo"]: the schema has no field of Query named todoes. Did you mean todo?"#
      ),
      (
        { $0.mutations["deleteTodo"] = .removing("Todo", idFrom: "key") },
        #"mutations["deleteTodo"]: the schema has no argument of deleteTodo named key."#
      ),
      (
        { $0.mutations["addTodo"] = .removing("Todo", idsFrom: ["text", "txt.id"]) },
        #"mutations["addTodo"]: the schema has no argument of addTodo named txt. Did you mean text?"#
      ),
      (
        { $0.memberships = [ListMembership(of: "Book", in: "Query.bokks") { _, _ in true }] },
        "the membership of Book in Query.bokks: the schema has no field of Query named bokks. Did you mean books?"
      ),
    ]

  @Test(
    "With a schema, unknown names are reported when the store is created (N1.7)",
    arguments: mistakes.indices)
  func withSchema(index: Int) throws {
    let (mistake, message) = Self.mistakes[index]
    let told = Told()
    var configuration = NormalizedCacheConfiguration()
    configuration.schema = try GraphQLSchema(sdl: Self.sdl)
    configuration.onDiagnostic = told.add
    mistake(&configuration)
    let store = NormalizedStore(configuration)
    #expect(told.messages == [message])
    var other = OperationContext()
    other.headers["accept-language"] = "de"
    _ = store.partition(of: other)
    #expect(told.messages.count == 1)
  }

  @Test("A correct configuration is not reported (N1.7)")
  func correct() throws {
    let told = Told()
    var configuration = NormalizedCacheConfiguration()
    configuration.schema = try GraphQLSchema(sdl: Self.sdl)
    configuration.possibleTypes["Node"] = ["Todo", "Unlisted"]
    configuration.onDiagnostic = told.add
    configuration.keys = ["Product": .field("sku"), "*": .field("id"), "Unlisted": .embedded]
    configuration.groups = ["Node": "Nodes"]
    configuration.fields["Query.todo"] = .redirecting(to: "Nodes", idFrom: "id")
    // A field need not have all arguments of a connection, nor a limit.
    configuration.fields["Query.books"] = .connection(filter: ["genre"])
    configuration.fields["Query.book"] = .offsetPages(offset: "isbn")
    configuration.fields["Query.feed"] = .tokenPages()
    configuration.fields["Todo.isLate", default: FieldPolicy()].computed =
      ComputedField(from: ["text"]) { _ in true }
    configuration.mutations["deleteTodo"] = .removing("Todo", idFrom: "id")
    configuration.mutations["addTodo"] = .refreshing("Query.todo")
    _ = NormalizedStore(configuration)
    #expect(told.messages == [])
  }

  @Test("A root that a generated schema only names is known, but not its fields (N1.7)")
  func namedRoots() {
    let told = Told()
    var configuration = NormalizedCacheConfiguration()
    configuration.schema = GraphQLSchema(
      generated: "schema{query:Query mutation:Mutation}type Query{todo:ID}")
    configuration.onDiagnostic = told.add
    configuration.mutations["addTodo"] = .refreshing("Query.todo")
    configuration.fields["Mutation.addTodo"] = FieldPolicy()
    _ = NormalizedStore(configuration)
    #expect(told.messages == [])
  }

  @Test("Without a schema, a name is reported when a similar one is met instead (N1.7)")
  func withoutSchema() throws {
    let told = Told()
    var configuration = NormalizedCacheConfiguration()
    configuration.onDiagnostic = told.add
    configuration.keys = ["Bok": .embedded, "Boxes": .embedded, "Todo": .field("id")]
    configuration.fields["Query.tood"] = .redirecting(to: "Todo", idFrom: "id")
    configuration.mutations["addTodos"] = MutationPolicy()
    configuration.mutations["ad_todo"] = MutationPolicy()
    let store = NormalizedStore(configuration)
    #expect(told.messages == [])
    let todo: JSONValue = ["__typename": "Todo", "id": "1"]
    try store.write(["todo": todo], for: GraphQLOperation("{ todo(id: 1) { id } }"))
    #expect(told.starts == [#"fields["Query.tood"]"#])
    try store.write(["addTodo": todo], for: GraphQLOperation("mutation { addTodo { id } }"))
    #expect(told.starts.last == #"mutations["ad_todo"]"#)
    try store.write(
      ["book": ["__typename": "Book", "id": "1"], "box": ["__typename": "Box", "id": "1"]],
      for: GraphQLOperation("{ book { id } box { id } }"))
    #expect(told.starts.count == 2)
    try store.write(
      ["book": ["__typename": "Bokk", "id": "1"]], for: GraphQLOperation("{ book { id } }"))
    #expect(told.messages.count == 2)
  }

  @Test("Without a schema, a filter is reported when a similar argument is met instead (N1.7)")
  func filter() throws {
    let told = Told()
    var configuration = NormalizedCacheConfiguration()
    configuration.onDiagnostic = told.add
    configuration.fields["Query.books"] = .connection(filter: ["genr"])
    try NormalizedStore(configuration).write(
      ["books": []], for: GraphQLOperation(#"{ books(first: 2, genre: "a") { id } }"#))
    #expect(told.starts == [#"fields["Query.books"]"#])
  }

  @Test("A redirect to a type that the field does not return is reported (N1.7)")
  func redirect() throws {
    let told = Told()
    var configuration = NormalizedCacheConfiguration()
    configuration.onDiagnostic = told.add
    configuration.fields["Query.item"] = .redirecting(to: "Thing", idFrom: "id")
    configuration.groups = ["Post": "Text"]
    configuration.fields["Query.text"] = .redirecting(to: "Text", idFrom: "id")
    let store = NormalizedStore(configuration)
    for _ in 0..<2 {
      try store.write(
        [
          "item": ["__typename": "Todo", "id": "1"], "text": ["__typename": "Post", "id": "1"],
        ], for: GraphQLOperation("{ item(id: 1) { id } text(id: 1) { id } }"))
    }
    #expect(
      told.messages == ["Query.item is redirected to Thing, but has an object of the type Todo."])
  }
}

/// The diagnostics that a store has told.
final class Told: Sendable {
  private let list = Locked<[StoreDiagnostic]>([])

  var all: [StoreDiagnostic] { list.withLock(\.self) }
  var messages: [String] { all.map(\.message) }
  /// The places in the configuration that messages begin with.
  var starts: [String] { messages.map { String($0.prefix { $0 != ":" }) } }

  var add: @Sendable (StoreDiagnostic) -> Void {
    { [list] diagnostic in list.withLock { $0.append(diagnostic) } }
  }
}
