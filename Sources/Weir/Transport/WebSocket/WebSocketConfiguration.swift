/// The settings of a ``WebSocketTransport``.
public struct WebSocketConfiguration: Sendable {
  /// Returns the payload of `connection_init`, an object that may contain a token; nil for none,
  /// which is the default. Called for each connection, with the context of the operation that needs
  /// it. If it throws, all waiting operations fail with the error.
  ///
  /// Operations with other headers that are part of the key have another connection, so a token in
  /// ``OperationContext/headers`` may be sent here:
  ///
  /// ```swift
  /// configuration.connectionParameters = { context in
  ///   ["token": context.headers["authorization"].map { .string($0) } ?? .null]
  /// }
  /// ```
  public var connectionParameters:
    @Sendable (_ context: OperationContext) async throws -> JSONValue? = { _ in nil }

  /// The time limit for opening a connection, until the server has acknowledged it. Default 10
  /// seconds.
  public var acknowledgementTimeout: Duration = .seconds(10)

  /// The interval after which the transport sends a `ping`; if the server sends nothing during the
  /// next interval, the connection is lost. That interval begins when the ping was sent, which may be
  /// after a large message; until then, only the system's own time limits end a connection whose server has
  /// stopped reading. Parts of a message count if the socket reports them
  /// (``TextSocket/receivedBytes``). nil sends no pings, and neither does an interval that is not
  /// positive. Default 30 seconds.
  public var keepAlive: Duration? = .seconds(30)

  /// The time for which a connection without operations stays open. Default 5 seconds. Then it is closed,
  /// which fails nothing: the next operation opens a new one. (``HTTPRequest/idleTimeout`` fails a request.)
  public var idleTimeout: Duration = .seconds(5)

  /// The maximum size of one operation's unread payloads in bytes: their JSON text, and 256 bytes
  /// more for each. Default 16 MiB.
  ///
  /// A payload beyond the limit ends the operation. Its consumer can still read the earlier
  /// payloads, then gets an error with an underlying ``HTTPTransportError`` of the code `tooLarge`;
  /// a subscription is not started again. The other operations on the connection go on: the
  /// transport always reads as fast as the server sends, because all of them, and the pings, would
  /// otherwise wait for the slowest consumer.
  public var maximumUnreadBytes = 16 << 20

  let sleep: @Sendable (Duration) async throws -> Void

  /// Makes the default settings.
  ///
  /// - Parameter clock: The clock that measures all times.
  public init(clock: some Clock<Duration> = ContinuousClock()) {
    sleep = { try await clock.wait(for: $0) }
  }
}
