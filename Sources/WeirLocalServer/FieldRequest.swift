public import Weir

/// The request for one field, which a resolver gets.
///
/// ```swift
/// $0.query("posts") { request in try store.posts(first: request.argument("first")) }
/// ```
public struct FieldRequest: Sendable {
  /// The type of the object that contains the field; nil if unknown.
  public let typename: String?
  /// The name of the field in the schema.
  public let field: String
  /// The arguments, with variables and defaults filled in. Missing arguments are not included.
  public let arguments: JSONObject
  /// The response keys and indices from the root of the data to the field.
  public let path: [GraphQLError.PathElement]
  /// The request that contains the field.
  public let request: LocalRequest

  let object: LocalValue
  let clock: any Clock<Duration>

  /// The object that contains the field, without members that are closures.
  public var parent: JSONValue { object.json }

  /// An argument; null if it is missing.
  public subscript(name: String) -> JSONValue { arguments[name] ?? .null }

  /// Decodes an argument as your own type. A missing argument reads as null.
  ///
  /// - Throws: `JSONDecodingError` if the argument does not fit; thrown on, it becomes an error of the
  ///   field.
  public func argument<Argument: Decodable>(
    _ name: String, as type: Argument.Type = Argument.self
  ) throws -> Argument {
    try JSON(self[name]).decode(type)
  }

  /// Decodes all arguments as your own type.
  ///
  /// - Throws: `JSONDecodingError` if the arguments do not fit; thrown on, it becomes an error of the
  ///   field.
  public func arguments<Arguments: Decodable>(
    as type: Arguments.Type = Arguments.self
  ) throws -> Arguments {
    try JSON(.object(arguments)).decode(type)
  }

  /// Delays the field by a duration on the server's clock.
  ///
  /// - Throws: `CancellationError` if the request is cancelled.
  public func sleep(for duration: Duration) async throws {
    try await clock.wait(for: duration)
  }
}
