import Foundation

/// Recorded results of queries and mutations, which a ``SnapshotExchange`` replays in an app, a
/// preview or a test.
///
/// It is `Codable` and consists of plain strings, so any encoder can write it. It contains users'
/// data: store it accordingly.
public struct OperationSnapshot: Codable, Hashable, Sendable {
  struct Entry: Codable, Hashable, Sendable {
    var name: String?
    var text: String
    var variables: String
    var scope: String?
    var data: String?
    var extensions: String?
    var error: Failure?
    var receivedAt: Date?
    var duration: Double?
    var maximumAge: Double?
  }

  /// The encodable part of an error: everything except the underlying error.
  struct Failure: Codable, Hashable, Sendable {
    var code: String
    var message: String
    /// The errors as a response contains them.
    var graphQLErrors: [JSONValue]
    var httpStatus: Int?
    var mediaType: String?
  }

  /// The results, in the order in which they were recorded.
  var entries: [Entry]

  /// Makes a snapshot without results.
  public init() {
    entries = []
  }

  /// The number of results.
  public var count: Int { entries.count }
}

extension OperationSnapshot.Entry {
  init(_ operation: GraphQLOperation, _ result: OperationResult) {
    let identity = operation.identity
    name = operation.name
    text = identity.text
    variables = identity.variables.string
    scope = identity.scope
    data = result.data?.description
    extensions = result.extensions?.description
    error = result.error.map(OperationSnapshot.Failure.init)
    receivedAt = result.timing?.receivedAt
    duration = result.timing.map { $0.duration / .seconds(1) }
    maximumAge = result.timing?.maximumAge.map { $0 / .seconds(1) }
  }

  var identity: OperationIdentity {
    OperationIdentity(text: text, variables: CompactBytes(variables), scope: scope)
  }

  /// Whether the operation is a mutation: with it, the canonical text begins.
  var isMutation: Bool { text.hasPrefix("mutation") }

  /// The recorded result; nil if the entry is damaged.
  var result: OperationResult? {
    guard let data = Self.parsed(data), let extensions = Self.parsed(extensions),
      data != nil || error != nil
    else { return nil }
    var result = OperationResult(
      data: data, error: error.map(OperationError.init), extensions: extensions,
      timing: ResultTiming(receivedAt: receivedAt, duration: duration, maximumAge: maximumAge))
    result.outcome = .hit
    return result
  }

  /// Returns `.some(nil)` for no text, and nil for text that is not JSON.
  private static func parsed(_ text: String?) -> JSON?? {
    guard let text else { return .some(nil) }
    return (try? JSON(parsing: text)).map { .some($0) } ?? .none
  }
}

extension OperationSnapshot.Failure {
  fileprivate init(_ error: OperationError) {
    code = error.code.description
    message = error.message
    graphQLErrors = error.graphQLErrors.map(\.json)
    httpStatus = error.httpStatus
    mediaType = error.mediaType
  }
}

extension OperationError {
  fileprivate init(_ failure: OperationSnapshot.Failure) {
    self.init(
      code: Code(failure.code), message: failure.message,
      graphQLErrors: failure.graphQLErrors.compactMap { try? GraphQLError(JSON($0)) },
      httpStatus: failure.httpStatus, mediaType: failure.mediaType)
  }
}

extension OperationSnapshot: CustomStringConvertible, CustomReflectable {
  /// The number of results; not the results, which are a user's data.
  public var description: String { "\(entries.count) results" }

  /// The number of results.
  public var customMirror: Mirror {
    Mirror(self, children: ["count": entries.count], displayStyle: .struct)
  }
}
