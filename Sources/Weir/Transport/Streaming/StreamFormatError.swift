/// The reason why the rest of a streamed response cannot be read. Earlier results were delivered.
public struct StreamFormatError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failure. Later versions may add codes: handle those that you know.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the code.
    public let description: String

    /// The stream ended without announcing its end: no closing boundary, no `complete` event.
    public static let endedEarly = Code(description: "endedEarly")
    /// One event or part, or everything together that the payloads of a response or an event have
    /// brought, is larger than ``FetchConfiguration/maximumResponseBytes``.
    public static let tooLarge = Code(description: "tooLarge")
    /// An event or part is not JSON, or not a GraphQL response.
    public static let badPayload = Code(description: "badPayload")
    /// An incremental payload has a path that does not exist in the data.
    public static let badPath = Code(description: "badPath")
    /// An incremental payload has an id that was not announced.
    public static let unknownID = Code(description: "unknownID")
  }

  /// The kind of failure.
  public let code: Code
  /// A sentence that describes the failure, without any data.
  public let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The code and the message.
  public var description: String { "\(code): \(message)" }

  static func tooLarge(_ limit: Int) -> StreamFormatError {
    StreamFormatError(.tooLarge, "One event or part of the response has more than \(limit) bytes.")
  }

  static func mergedTooLarge(_ limit: Int) -> StreamFormatError {
    StreamFormatError(
      .tooLarge,
      "The payloads of one response or event contain more than \(limit) bytes of data, errors and paths. "
        + "Select less, or raise maximumResponseBytes.")
  }
}
