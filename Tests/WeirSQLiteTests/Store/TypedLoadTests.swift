import Testing
import Weir
import WeirNormalized
import WeirSQLite

/// Reads of typed data that wait for the storage.
@Suite(.timeLimit(.minutes(10)))
struct TypedLoadTests {
  private struct Todo: Decodable, Equatable, FragmentData {
    static let document: GraphQLDocument = "fragment TodoText on Todo { id text }"
    var id: String
    var text: String

    init(reading fields: inout FieldReader) throws {
      id = try fields.read("id")
      text = try fields.read("text")
    }

    func write(to fields: inout FieldWriter) {
      fields.write("id", id)
      fields.write("text", text)
    }
  }

  private struct TodosData: Decodable { var todos: [Todo] }
  private struct TodoData: Decodable { var todo: Todo }
  private struct TodoVariables: Encodable { var id: String }

  private struct GeneratedTodo: GeneratedQuery {
    typealias Data = TodoSelection
    static let document: GraphQLDocument = "query Todo($id: ID!) { todo(id: $id) { id text } }"
    var id: String

    func write(to variables: inout InputWriter) { variables.write("id", id) }
  }

  private struct TodoSelection: SelectionData {
    var todo: Todo

    init(reading fields: inout FieldReader) throws { todo = try fields.read("todo") }
    func write(to fields: inout FieldWriter) { fields.write("todo", todo) }
  }

  private static let all = Query<TodosData, NoVariables>("{ todos { id text } }")
  private static let one = Query<TodoData, TodoVariables>(GeneratedTodo.document)

  @Test("A typed query is loaded from the storage", arguments: Place.allCases)
  func queries(_ place: Place) async throws {
    let medium = try await place.filled()
    let store = medium.store()
    #expect(try store.read(Self.all) == nil)
    let todos = try await store.load(Self.all)?.todos
    #expect(todos?.map(\.text) == ["text 1", "text 2", "text 3"])
    #expect(try store.read(Self.all)?.todos == todos)
    #expect(try await store.load(Self.one, TodoVariables(id: "1"))?.todo == todos?.first)
    #expect(try await store.load(Self.one, TodoVariables(id: "9")) == nil)
  }

  @Test("A generated query and a fragment are loaded from the storage", arguments: Place.allCases)
  func generated(_ place: Place) async throws {
    let medium = try await place.filled()
    let entity = Entity("Todo", id: "1")
    let text = try Fragment<Todo>("fragment TodoText on Todo { id text }")
    #expect(try await medium.store().load(GeneratedTodo(id: "1"))?.todo.text == "text 1")
    #expect(try await medium.store().load(Todo.self, of: entity)?.text == "text 1")
    #expect(try await medium.store().load(text, of: entity)?.text == "text 1")
    #expect(try await medium.store().load(text, of: Entity("Todo", id: "9")) == nil)
  }

  @Test("Loaded data that does not fit the type is an error")
  func mismatch() async throws {
    struct Wrong: Decodable { var todos: [Int] }
    let store = try await Place.memory.filled().store()
    let error = await #expect(throws: OperationError.self) {
      try await store.load(Query<Wrong, NoVariables>("{ todos { id text } }"))
    }
    #expect(error?.code == .decoding)
  }
}
