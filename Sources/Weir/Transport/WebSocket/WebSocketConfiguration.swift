/// How a ``WebSocketTransport`` keeps its connection.
public struct WebSocketConfiguration: Sendable {
  /// What is sent with `connection_init`: an object, such as a token. Called for each connection
  /// anew. By default nothing. An error that it throws is that of all operations that wait.
  public var connectionParameters: @Sendable () async throws -> JSONValue? = { nil }

  /// How long it may take until the server has acknowledged a connection, from the first thing that
  /// is done to make it. Default 10 seconds.
  public var acknowledgementTimeout: Duration = .seconds(10)

  /// After how much time the server is asked whether it is still there (`ping`); if nothing has come
  /// when that time has passed once more, the connection is lost. nil never asks. Default 30 seconds.
  public var keepAlive: Duration? = .seconds(30)

  /// How long a connection stays when its last operation has ended. Default 5 seconds.
  public var idleTimeout: Duration = .seconds(5)

  /// How many bytes of one operation's payloads may wait to be read, as JSON text and 256 more for
  /// each. A payload beyond that ends the operation with an error under which there is an
  /// ``HTTPTransportError`` of the code `tooLarge`: what waits is still read, the error comes after
  /// it, and it is not subscribed anew. Default 16 MiB.
  ///
  /// The other operations on the connection go on: it is always read as fast as it delivers, since to
  /// stop reading would make all of them, and the pings, wait for the slowest consumer.
  public var maximumUnreadBytes = 16 << 20

  let sleep: @Sendable (Duration) async throws -> Void

  /// The defaults.
  ///
  /// - Parameter clock: what all times are measured with.
  public init(clock: some Clock<Duration> = ContinuousClock()) {
    sleep = { try await clock.wait(for: $0) }
  }
}
