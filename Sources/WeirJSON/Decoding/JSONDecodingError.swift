/// Why a JSON value could not be read as a type, and where.
public struct JSONDecodingError: Error, Sendable, CustomStringConvertible {
  /// What is wrong, for a program to switch over.
  public enum Reason: Hashable, Sendable {
    /// An object lacks a member of this key.
    case missingKey(String)
    /// The value is `null`, or an array has ended, where something was expected.
    case missingValue
    /// The value is of another kind.
    case typeMismatch
    /// The value is of the right kind but does not stand for a value of the type: a number that
    /// does not fit, a string that is no date, an enumeration's unknown case.
    case invalidValue
    /// An `init(from:)` has thrown an error of its own, which is the `underlying` one.
    case other
  }

  /// What is wrong.
  public var reason: Reason

  /// The way from the decoded value to the place of the error.
  public var path: [JSONPathKey]

  /// A sentence that says what was expected. It never quotes the JSON, except for keys.
  public var message: String

  /// The error that the decoding threw: a `DecodingError`, or one of an `init(from:)` of its own.
  public var underlying: any Error

  init(_ error: any Error, path: [JSONPathKey]) {
    underlying = error
    guard let error = error as? DecodingError else {
      (reason, self.path, message) = (.other, path, "The type's initializer has failed.")
      return
    }
    let context: DecodingError.Context
    switch error {
    case .keyNotFound(let key, let keyContext):
      (reason, context) = (.missingKey(key.stringValue), keyContext)
    case .valueNotFound(_, let valueContext): (reason, context) = (.missingValue, valueContext)
    case .typeMismatch(_, let typeContext): (reason, context) = (.typeMismatch, typeContext)
    case .dataCorrupted(let dataContext): (reason, context) = (.invalidValue, dataContext)
    @unknown default: (reason, context) = (.other, .init(codingPath: path, debugDescription: ""))
    }
    self.path = context.codingPath.map { JSONPathKey($0) }
    message = context.debugDescription
  }

  /// The message and the path.
  public var description: String {
    path.isEmpty ? message : "\(message) (at \(JSONPathKey.describe(path)))"
  }
}
