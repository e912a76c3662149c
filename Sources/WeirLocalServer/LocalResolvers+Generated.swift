import GraphQLLanguage
public import Weir

extension LocalResolvers {
  /// Answers each execution of a generated query with data of its type.
  ///
  /// The server validates the request, and calls the closure instead of the resolvers of fields. If
  /// it throws, the response has the error and no data.
  ///
  /// ```swift
  /// let server = try LocalServer(schema: sdl) {
  ///   $0.answer(Feed.self) { request in .init(books: [.init(id: "1", title: "A")]) }
  /// }
  /// ```
  public mutating func answer<Query: GeneratedQuery>(
    _ query: Query.Type, _ data: @escaping @Sendable (LocalRequest) async throws -> Query.Data
  ) {
    answers[query.name] = { try JSONValue(selection: await data($0)) }
  }

  /// Answers each execution of a generated mutation with data of its type; see
  /// ``answer(_:_:)-(Query.Type,_)``.
  public mutating func answer<Mutation: GeneratedMutation>(
    _ mutation: Mutation.Type,
    _ data: @escaping @Sendable (LocalRequest) async throws -> Mutation.Data
  ) {
    answers[mutation.name] = { try JSONValue(selection: await data($0)) }
  }
}

extension GeneratedOperation {
  /// The name of the operation, which generated ones have.
  fileprivate static var name: String {
    (try? document.tree.get().operations.first?.name) ?? ""
  }
}
