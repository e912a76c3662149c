/// Why a streamed response cannot be read any further. What came before was delivered.
public struct StreamFormatError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failure. An open list: handle the ones you know.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the code.
    public let description: String

    /// The stream ended before it said that it does: no closing boundary, no `complete` event.
    public static let endedEarly = Code(description: "endedEarly")
    /// One event or part is larger than ``FetchConfiguration/maximumResponseBytes``.
    public static let tooLarge = Code(description: "tooLarge")
    /// An event or part is not JSON, or not a GraphQL response.
    public static let badPayload = Code(description: "badPayload")
    /// A payload of incremental delivery adds to a place that there is not.
    public static let badPath = Code(description: "badPath")
    /// A payload of incremental delivery belongs to an id that was not announced.
    public static let unknownID = Code(description: "unknownID")
  }

  /// The kind of failure.
  public let code: Code
  /// What happened, in a sentence without any of the data.
  public let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The code and the message.
  public var description: String { "\(code): \(message)" }

  static func tooLarge(_ limit: Int) -> StreamFormatError {
    StreamFormatError(.tooLarge, "One event or part has more than \(limit) bytes.")
  }
}
