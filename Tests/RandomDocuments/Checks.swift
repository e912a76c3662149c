import Foundation
import GraphQLLanguage
import GraphQLValidation
public import Weir
import WeirTesting

/// Executes generated operations against a server with samples, and compares what their types read and
/// write with the untyped data.
///
/// The name of each operation is printed before its checks, so that a trap has a name.
public final class Checks {
  let types: TypeSystem
  let server: LocalServer
  let client: GraphQLClient
  var random: Numbers
  var operations = 0
  var responses = 0
  var changes = 0
  var files = 0
  var partial = 0
  var failures = 0
  var name = ""

  /// Creates checks of the operations on a schema.
  public init(schema: String, seed: UInt64) throws {
    types = TypeSystem([try SourceFile(path: "schema", parsing: schema)])
    server = try LocalServer(
      schema: schema, filling: .samples(seed: seed, nulls: 0.15, scalars: ["Money": [9.5, 12]]))
    client = GraphQLClient([.fetch(from: server)])
    random = Numbers(seed)
  }

  /// Checks a query with variables, which are also given as JSON.
  public func query<Query: GeneratedQuery>(_ query: Query, _ variables: String) async throws {
    guard let (operation, hasFiles) = begin(query, variables) else { return }
    let untyped = await client.query(operation)
    try check(
      query, untyped,
      hasFiles ? TypedResult(decoding: untyped) : await client.query(query))
  }

  /// Checks a mutation.
  public func mutation<Mutation: GeneratedMutation>(
    _ mutation: Mutation, _ variables: String
  ) async throws {
    guard let (operation, hasFiles) = begin(mutation, variables) else { return }
    let untyped = await client.mutate(operation)
    try check(
      mutation, untyped,
      hasFiles ? TypedResult(decoding: untyped) : await client.mutate(mutation))
  }

  /// Checks a subscription.
  public func subscription<Subscription: GeneratedSubscription>(
    _ subscription: Subscription, _ variables: String
  ) async throws {
    guard let (operation, hasFiles) = begin(subscription, variables) else { return }
    var untyped: [OperationResult] = []
    for await result in client.subscribe(operation) { untyped.append(result) }
    if hasFiles {
      for result in untyped { try check(subscription, result, TypedResult(decoding: result)) }
      return
    }
    var position = 0
    for await result in client.subscribe(subscription) {
      try check(subscription, untyped[position], result)
      position += 1
    }
    if position != untyped.count { fail("\(untyped.count) events, but \(position) typed ones") }
  }

  /// Prints what was checked, and ends the process.
  public func finish() -> Never {
    print(
      "\(operations) operations with variables, \(files) files, \(responses) responses, \(partial) "
        + "incomplete ones, \(changes) changed ones, \(failures) failures")
    exit(failures == 0 && responses > 0 ? 0 : 1)
  }

  func fail(_ message: String) {
    failures += 1
    print("FAILED \(name): \(message)")
  }
}

// MARK: - One operation

extension Checks {
  /// Compares the variables, and returns the operation to execute. The server takes no files: it gets
  /// their names instead.
  private func begin<Operation: GeneratedOperation>(
    _ generated: Operation, _ variables: String
  ) -> (GraphQLOperation, hasFiles: Bool)? {
    operations += 1
    name = "\(Operation.self)"
    print(name)
    fflush(nil)
    let operation = generated.operation()
    let values = json(variables)
    let uploads = values.uploads(at: "")
    let expected =
      uploads.isEmpty
      ? GraphQLOperation(Operation.document, variables: values)
      : GraphQLOperation(Operation.document, variables: values, uploads: uploads)
    guard operation.variables == expected.variables else {
      fail(
        "variables \(String(decoding: operation.variables, as: UTF8.self)) instead of "
          + String(decoding: expected.variables, as: UTF8.self))
      return nil
    }
    if operation.key != expected.key { fail("The typed and the untyped operation have two keys.") }
    if operation.uploads != expected.uploads { fail("The files differ.") }
    if uploads.isEmpty { return (operation, false) }
    files += uploads.count
    return (GraphQLOperation(Operation.document, variables: values), true)
  }

  private func check<Operation: GeneratedOperation>(
    _ operation: Operation, _ untyped: OperationResult, _ typed: TypedResult<Operation.Data>
  ) throws {
    guard let json = untyped.data, untyped.error == nil else {
      return fail("no data: \(untyped.error.map { "\($0)" } ?? "")")
    }
    guard let data = typed.data, typed.error == nil else {
      return fail("The data cannot be decoded: \(typed.error.map { "\($0)" } ?? "") \(json)")
    }
    responses += 1
    let selected = SelectedObject(try Operation.document.tree.get(), types, json.value)
    let seen = PropertyView(data).json(for: json.value)
    expect(seen, json.value.withoutTypenames, "properties")
    let written = try JSONValue(encoding: data)
    // The name of a root type is there if a fragment needs it, whatever its conditions are.
    let name = [JSONPathKey("__typename")]
    expect(
      selected.withoutUnwritten(written: written).removing(name[...]), written.removing(name[...]),
      "written")
    do { try checkCoders(data) } catch { fail("A coder has failed: \(error)") }
    try checkInitial(json.value, of: operation)
    try checkChanges(of: json.value, selected, as: Operation.Data.self)
  }

  func expect(_ one: JSONValue, _ other: JSONValue, _ what: String) {
    if let difference = one.difference(from: other) { fail("\(what) differ \(difference)") }
  }

  /// All coders read what all coders write, and write the same.
  private func checkCoders<Data: SelectionData>(_ data: Data) throws {
    let own = try JSON.encode(data)
    let foundation = try JSONEncoder().encode(data)
    let copies = [
      try JSON(parsing: own).decode(Data.self),
      try JSONDecoder().decode(Data.self, from: foundation),
      try JSONDecoder().decode(Data.self, from: Foundation.Data(own)),
      try JSON(parsing: Array(foundation)).decode(Data.self),
    ]
    for (position, copy) in copies.enumerated() where copy != data {
      fail("coder \(position) changes the value: \(data) becomes \(copy)")
    }
    expect(
      try JSON(parsing: Array(foundation)).value, try JSON(parsing: own).value, "written by coders")
  }
}

/// A JSON value from its text, which is correct.
public func json(_ text: String) -> JSONValue {
  guard let json = try? JSON(parsing: text) else { preconditionFailure("Not JSON: \(text)") }
  return json.value
}

/// A file for a variable. Files are equal by their paths; this one need not exist.
public func upload(_ name: String) -> Upload { Upload(file: URL(filePath: "/\(name)")) }

extension JSONValue {
  /// The files of the strings that stand for one, by their paths.
  fileprivate func uploads(at path: String) -> [String: Upload] {
    switch self {
    case .object(let members):
      members.reduce(into: [:]) {
        let place = path.isEmpty ? $1.key : "\(path).\($1.key)"
        $0.merge($1.value.uploads(at: place)) { first, _ in first }
      }
    case .array(let elements):
      elements.enumerated().reduce(into: [:]) {
        $0.merge($1.element.uploads(at: "\(path).\($1.offset)")) { first, _ in first }
      }
    case .string(let text) where text.hasPrefix("file-"): [path: upload(text)]
    default: [:]
    }
  }
}

/// Random numbers that are the same in each run (SplitMix64).
struct Numbers: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var word = state
    word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
    return word ^ (word >> 31)
  }
}
