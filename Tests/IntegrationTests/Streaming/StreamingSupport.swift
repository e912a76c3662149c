import Foundation
import Weir

/// The servers that streaming tests run against.
enum Server: String, CaseIterable, Sendable {
  case strawberry = "graphql"
  /// Strawberry without support for event streams.
  case multipart
  case ariadne
  case core
  case core2022 = "core-2022"
  case core2020 = "core-2020"
}

extension Space {
  func url(of server: Server, _ query: String = "") -> URL {
    let url = view(server.rawValue)
    guard !query.isEmpty else { return url }
    var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
    components?.percentEncodedQuery = query
    return components?.url ?? url
  }
}

extension OperationResult {
  /// Data and error on one line, such as `{"a":1} more` or `graphQL 400: No such field`.
  var line: String {
    var parts: [String] = []
    if let data {
      parts.append(String(decoding: (try? data.value.canonicalBytes()) ?? [], as: UTF8.self))
    }
    if let error {
      let status = error.httpStatus.map { " \($0)" } ?? ""
      parts.append("\(error.code)\(status): \(error.line)")
    }
    if hasNext { parts.append("more") }
    return parts.joined(separator: " ")
  }
}

extension OperationError {
  fileprivate var line: String {
    if !graphQLErrors.isEmpty { return graphQLErrors.map(\.message).joined(separator: "; ") }
    return (underlying as? HTTPTransportError)?.code.description ?? message
  }
}

/// Collects all results of a stream, one line each.
func lines(_ stream: ResultStream) async -> [String] {
  var lines: [String] = []
  for await result in stream { lines.append(result.line) }
  return lines
}
