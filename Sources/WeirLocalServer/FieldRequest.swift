public import Weir

/// What the closure of a field is asked.
///
/// ```swift
/// $0.query("posts") { request in try store.posts(first: request.argument("first")) }
/// ```
public struct FieldRequest: Sendable {
  /// The type of the object that the field belongs to; nil if it is not known.
  public let typename: String?
  /// The name of the field in the schema.
  public let field: String
  /// The arguments, variables and defaults filled in; absent ones are absent.
  public let arguments: JSONObject
  /// Response keys and indices from the root of the data to the field.
  public let path: [GraphQLError.PathElement]
  /// The request that the field is part of.
  public let request: LocalRequest

  let object: LocalValue
  let clock: any Clock<Duration>

  /// The object that the field belongs to, without members that are closures.
  public var parent: JSONValue { object.json }

  /// An argument; null if it is absent.
  public subscript(name: String) -> JSONValue { arguments[name] ?? .null }

  /// An argument as a type of yours. One that is absent reads as null.
  ///
  /// - Throws: `JSONDecodingError` if it does not fit, which becomes an error of the field.
  public func argument<Argument: Decodable>(
    _ name: String, as type: Argument.Type = Argument.self
  ) throws -> Argument {
    try JSON(self[name]).decode(type)
  }

  /// All arguments as a type of yours.
  ///
  /// - Throws: `JSONDecodingError` if they do not fit, which becomes an error of the field.
  public func arguments<Arguments: Decodable>(
    as type: Arguments.Type = Arguments.self
  ) throws -> Arguments {
    try JSON(.object(arguments)).decode(type)
  }

  /// Lets the field take its time, on the server's clock.
  ///
  /// - Throws: `CancellationError` if the request is cancelled meanwhile.
  public func sleep(for duration: Duration) async throws {
    try await clock.wait(for: duration)
  }
}
