/// How a ``WebSocketTransport`` keeps its connection.
public struct WebSocketConfiguration: Sendable {
  /// What is sent with `connection_init`: an object, such as a token. Called for each connection
  /// anew. By default nothing. An error that it throws is that of all operations that wait.
  public var connectionParameters: @Sendable () async throws -> JSONValue? = { nil }

  /// How long the server may take to acknowledge a connection. Default 10 seconds.
  public var acknowledgementTimeout: Duration = .seconds(10)

  /// After how much time the server is asked whether it is still there (`ping`); if by then nothing
  /// has come since the last time, the connection is lost. nil never asks. Default 30 seconds.
  public var keepAlive: Duration? = .seconds(30)

  /// How long a connection stays when its last operation has ended. Default 5 seconds.
  public var idleTimeout: Duration = .seconds(5)

  /// How many payloads of one operation may wait to be read; one more ends it with an error. The
  /// others go on. Default 10,000.
  public var maximumUnreadPayloads = 10_000

  let sleep: @Sendable (Duration) async throws -> Void

  /// The defaults.
  ///
  /// - Parameter clock: what all times are measured with.
  public init(clock: some Clock<Duration> = ContinuousClock()) {
    sleep = { try await clock.sleep(for: $0) }
  }
}
