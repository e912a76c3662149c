/// An error that says why a JSON value could not be decoded as a type, and where.
public struct JSONDecodingError: Error, Sendable, CustomStringConvertible {
  /// The kinds of errors, for programs to switch over.
  public enum Reason: Hashable, Sendable {
    /// An object has no member with this key.
    case missingKey(String)
    /// A value was expected, but it is `null`, or the array has ended.
    case missingValue
    /// The value has another kind.
    case typeMismatch
    /// The value has the right kind but does not stand for a value of the type: a number that does
    /// not fit, a string that is not a date, an unknown case of an enumeration.
    case invalidValue
    /// An `init(from:)` threw an error of its own, which is `underlying`.
    case other
  }

  /// The kind of the error.
  public var reason: Reason

  /// The path from the decoded value to the error.
  public var path: [JSONPathKey]

  /// A sentence that says what was expected. Of the JSON, it quotes keys, and the value of an
  /// enumeration that has no such case; an `init(from:)` of yours may quote more.
  public var message: String

  /// The error that was thrown: a `DecodingError`, or an error of an `init(from:)`.
  public var underlying: any Error

  /// Whether an `init(from:)` has written the message about an invalid value, and may quote it. That of
  /// an enumeration does.
  private var mayQuoteValue = false

  init(_ error: any Error, path: [JSONPathKey], ownMessage: String?) {
    underlying = error
    guard let error = error as? DecodingError else {
      (reason, self.path, message) = (.other, path, "The type's init(from:) threw an error.")
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
    // An initializer may throw an error with another path, or with one in a text of its own.
    let thrown = context.codingPath.map { JSONPathKey($0) }
    self.path = thrown.starts(with: path) ? thrown : path + thrown
    message = context.debugDescription
    mayQuoteValue = reason == .invalidValue && message != ownMessage
  }

  /// The message and the path.
  public var description: String { describe(message) }

  /// The same without what an `init(from:)` says about an invalid value.
  package var descriptionWithoutValue: String {
    describe(
      mayQuoteValue ? "The type's init(from:) refused the value; `underlying` says why." : message)
  }

  private func describe(_ message: String) -> String {
    path.isEmpty ? message : "\(message) (at \(JSONPathKey.describe(path)))"
  }
}
