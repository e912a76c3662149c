import Foundation
import GraphQLLanguage
import GraphQLValidation
import Weir
import WeirGeneration

extension Verb {
  static let schemaFetch = Verb(
    name: "schema fetch", summary: "Writes the schema of a server, which it asks by introspection.",
    operands: "URL",
    options: [
      Option(
        name: "--header", value: "'NAME: VALUE'", isRepeatable: true,
        help: "a header of the request; other users of the system can see it"),
      Option(
        name: "--header-env", value: "NAME=VARIABLE", isRepeatable: true,
        help: "a header whose value is in an environment variable, for secrets"),
      Option(name: "-o", value: "FILE", help: "the file for the schema"),
    ]
  ) { (invocation) throws(ToolFailure) in
    try invocation.arguments.expectOperands(1...1, "URL")
    let fetch = try SchemaFetch(invocation)
    let types = TypeSystem([try await fetch.schema()])
    try invocation.output(types.document.canonicalText)
  }
}

/// Asks a server for its schema.
struct SchemaFetch: Sendable {
  private let url: URL
  /// The server in messages. The rest of the address may contain secrets.
  private let name: String
  private let headers: HTTPHeaders
  private let transport: any HTTPTransport

  init(_ invocation: Invocation) throws(ToolFailure) {
    guard let url = URL(string: invocation.arguments.operands[0]), let host = url.host,
      url.scheme == "https" || url.scheme == "http"
    else {
      throw ToolFailure(.usage, "The address must begin with https:// or http://.")
    }
    self.url = url
    name = host
    transport = invocation.environment.transport
    var headers = HTTPHeaders()
    for header in invocation.arguments.all("--header") {
      let (name, value) = try Self.split(header, at: ":", "--header", "'NAME: VALUE'")
      headers.add(name, value.trimmingCharacters(in: .whitespaces))
    }
    for header in invocation.arguments.all("--header-env") {
      let (name, variable) = try Self.split(header, at: "=", "--header-env", "NAME=VARIABLE")
      guard let value = invocation.environment.variables[variable] else {
        throw ToolFailure(.usage, "The environment variable \(variable) is not set.")
      }
      headers.add(name, value)
    }
    self.headers = headers
  }

  /// The message does not repeat the argument, which may be a secret.
  private static func split(
    _ text: String, at separator: Character, _ option: String, _ form: String
  ) throws(ToolFailure) -> (String, String) {
    let parts = text.split(separator: separator, maxSplits: 1)
    guard parts.count == 2 else { throw ToolFailure(.usage, "Write \(option) \(form).") }
    return (String(parts[0]), String(parts[1]))
  }

  /// Sends the queries from the newest to the oldest, until the server knows all fields of one.
  func schema() async throws(ToolFailure) -> SourceFile {
    var configuration = FetchConfiguration()
    configuration.transport = transport
    configuration.headers = { [headers] _ in headers }
    let client = GraphQLClient([.fetch(url, configuration)])
    var last: OperationError?
    for query in IntrospectionQuery.allCases {
      let result = await client.query(GraphQLOperation(GraphQLDocument(query.text)))
      // With errors, a part of the schema may be missing.
      if result.error == nil, let data = result.data, !(data["__schema"]?.isNull ?? true) {
        do throws(GenerationFinding) {
          return try SourceFile(path: name, introspection: "\(data)")
        } catch {
          throw ToolFailure(.files, [error])
        }
      }
      last = result.error
      guard let last, last.isRefusal else { break }
    }
    let reason = last.map { "\($0)" } ?? "The response contains no schema."
    throw ToolFailure(.files, "The schema cannot be fetched. \(reason)", path: name)
  }
}

extension OperationError {
  /// Whether a server that does not know a field of the query may have answered like this.
  fileprivate var isRefusal: Bool {
    code == .graphQL || code == .httpStatus && (httpStatus == 400 || httpStatus == 422)
  }
}
