import Testing
import Weir
@testable import WeirNormalized
@testable import WeirRecords
import WeirTesting

/// The steps of a rule's test.
struct Script: CustomTestStringConvertible, Sendable {
  enum Step: Sendable {
    /// Writes data by hand.
    case write(String, JSONValue, String)
    /// Answers an operation; errors nullified these paths.
    case answer(String, String, nulled: [[GraphQLError.PathElement]])
    /// Expects an operation to read exactly this, or nothing.
    case read(String, JSONValue, String?)

    var operation: GraphQLOperation {
      switch self {
      case .write(let document, let variables, _), .read(let document, let variables, _):
        GraphQLOperation(GraphQLDocument(document), variables: variables)
      case .answer(let document, _, _): GraphQLOperation(GraphQLDocument(document))
      }
    }

    static func write(_ document: String, _ data: String) -> Step { .write(document, [:], data) }
    static func read(_ document: String, _ data: String) -> Step { .read(document, [:], data) }
    static func miss(_ document: String, _ variables: JSONValue = [:]) -> Step {
      .read(document, variables, nil)
    }
  }

  let testDescription: String
  var configuration = NormalizedCacheConfiguration()
  let steps: [Step]

  init(
    _ name: String, _ steps: [Step],
    configure: (inout NormalizedCacheConfiguration) -> Void = { _ in }
  ) {
    testDescription = name
    self.steps = steps
    configure(&configuration)
  }

  /// Runs the steps in a store in memory, in one over a file, and each step in a new store over a
  /// file.
  func run() async throws {
    for kind in StoreKind.allCases {
      try await StoreKind.$current.withValue(kind) { try await run(kind) }
    }
  }

  private func run(_ kind: StoreKind) async throws {
    let storage = kind == .memory ? nil : TemporaryStorage()
    var store = NormalizedStore(configuration, storage: storage)
    for (number, step) in steps.enumerated() {
      if kind == .file {
        try await store.flush()
        store = NormalizedStore(configuration, storage: storage)
        await store.load(step.operation)
      }
      let store = store
      defer {
        #expect(
          store.state.withLock { $0.records.defects } == [], "\(testDescription), step \(number)")
      }
      switch step {
      case .write(let document, let variables, let data):
        let operation = GraphQLOperation(GraphQLDocument(document), variables: variables)
        try store.write(try JSON(parsing: data), for: operation)
        #expect(
          try store.write(try JSON(parsing: data), for: operation) == 0,
          "\(testDescription), \(kind), step \(number): an identical write changes something")
      case .answer(let document, let data, let nulled):
        let server = ScriptedExchange.immediate { _ in
          .data(data, errors: nulled.map { GraphQLError(message: "failed", path: $0) })
        }
        let operation = GraphQLOperation(GraphQLDocument(document))
          .with { $0.requestPolicy = .networkOnly }
        let client = GraphQLClient([.cache(store), server])
        _ =
          operation.kind == .mutation
          ? await client.mutate(operation) : await client.query(operation)
      case .read(let document, let variables, let expected):
        let operation = GraphQLOperation(GraphQLDocument(document), variables: variables)
        let data = store.read(operation).map { $0.value.withoutTypenames }
        let wanted = try expected.map { try JSON(parsing: $0).value.withoutTypenames }
        let isSame = try data?.canonicalBytes() == wanted?.canonicalBytes()
        #expect(
          isSame,
          "\(testDescription), \(kind), step \(number): \(String(describing: data)), not \(expected ?? "nothing")"
        )
      }
    }
  }
}

extension JSONValue {
  /// The value without the `__typename` members, which the client adds itself.
  var withoutTypenames: JSONValue {
    switch self {
    case .object(let members):
      .object(
        JSONObject(
          members.filter { $0.key != "__typename" }.map { ($0.key, $0.value.withoutTypenames) }))
    case .array(let elements): .array(elements.map(\.withoutTypenames))
    default: self
    }
  }
}
