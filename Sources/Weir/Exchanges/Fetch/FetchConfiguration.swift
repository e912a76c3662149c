/// The settings of a ``FetchExchange``.
public struct FetchConfiguration: Sendable {
  /// The transport that sends the requests. By default ``URLSessionTransport/shared``. For servers
  /// and tools on Linux, use `CurlTransport.shared` of the product `WeirCurl`.
  public var transport: any HTTPTransport = URLSessionTransport.shared

  /// Returns header fields for each request, for example a token that changes; called before the
  /// request is sent. The fields of ``OperationContext/headers`` take precedence. If it throws, the error
  /// becomes the result; while a subscription is reconnecting, the attempt fails. These headers are not part
  /// of any key: if they contain the credentials of several users, the users share cached results; see
  /// ``ClientConfiguration/servesSeveralUsers``.
  ///
  /// If the user has changed before they are returned, and they contain credentials
  /// (``HeaderRules/credentials``), the operation is not sent: its result is the error
  /// ``OperationError/cancelled``.
  public var headers: @Sendable (GraphQLOperation) async throws -> HTTPHeaders = { _ in [:] }

  /// Called once for each response, when its head has arrived, with the operations that the request has
  /// sent, the status, and the header fields. Nil, the default, for no call, which costs nothing.
  ///
  /// ```swift
  /// configuration.onResponse = { operations, status, headers in
  ///   if let date = headers["date"] { serverClock.adjust(date) }
  ///   if status == 426 || headers["x-upgrade-recommended"] != nil { upgrade.suggest() }
  /// }
  /// ```
  ///
  /// It is called whatever the status is: for each attempt of a ``RetryExchange``, for both requests of an
  /// automatic persisted query, and for each connection of a subscription. A ``BatchFetchExchange`` passes
  /// all operations of the request, otherwise there is one. A streamed response is one response, and of
  /// redirects that the transport follows only the last response counts. It is not called if no response
  /// arrives, nor for what a ``SubscriptionExchange`` sends by another transport, such as a WebSocket.
  ///
  /// It runs on the concurrency pool, and the response waits for it, so it should return soon. The
  /// operations are as they were sent: their contexts contain the credentials of an ``AuthExchange``. To
  /// change a request, or to see a body, wrap the ``transport``: see <doc:CommonTasks>.
  public var onResponse:
    (@Sendable (_ operations: [GraphQLOperation], _ status: Int, _ headers: HTTPHeaders) -> Void)?

  /// Whether queries are sent by GET, so that HTTP caches can answer them. Default false;
  /// ``OperationContext/prefersGET`` overrides it for one execution. Mutations are never sent by
  /// GET ("GraphQL over HTTP", section "GET").
  public var prefersGET = false

  /// The maximum length of a GET's URL in bytes; a longer query is sent by POST. Default 2,000,
  /// because some servers and intermediaries accept no more.
  public var maximumURLLength = 2_000

  /// The time limit for a request, until its response is complete; nil for no limit. Default 60
  /// seconds. For a request with files, it limits the time without progress instead. It does not
  /// apply to subscriptions. ``OperationContext/requestTimeout`` overrides it for one execution;
  /// ``OperationContext/totalTimeout`` limits all that a caller waits for.
  public var timeout: Duration? = .seconds(60)

  /// The maximum size in bytes, after decompression: of the response to a query or mutation, with all that
  /// is streamed of it, and of each event of a subscription. Default 64 MiB; at most 2^28 - 1 bytes,
  /// because a larger text is not parsed.
  ///
  /// A larger response fails with the code ``OperationError/Code/transport``
  /// (``HTTPTransportError/Code/tooLarge``). A larger event fails with
  /// ``OperationError/Code/malformedResponse`` (``StreamFormatError/Code/tooLarge``), and so does a
  /// response with `@defer` or `@stream` whose announced paths are long: beyond 256 bytes each, they count
  /// each time that they are used.
  public var maximumResponseBytes = 64 << 20

  var responseLimit: Int { min(maximumResponseBytes, JSONCell.maximumOffset) }

  /// The formats in which queries and mutations with `@defer` or `@stream` may be answered; empty
  /// requests none. Default multipart. Responses in either format are always understood.
  public var incrementalMediaTypes: StreamedMediaTypes = .multipart

  /// The formats in which subscriptions may be answered; the server chooses. Default both, with
  /// plain JSON for errors. If empty, subscriptions are not sent by HTTP, but forwarded to the rest of
  /// the chain.
  ///
  /// Choose ``StreamedMediaTypes/eventStream`` alone for graphql-sse and for Spring for GraphQL, which
  /// do not recognize a subscription whose request accepts anything else. The request then accepts
  /// `text/event-stream` only; an answer in JSON is understood anyway.
  public var subscriptionMediaTypes: StreamedMediaTypes = [.eventStream, .multipart]

  /// The time without any data, heartbeats included, after which a subscription's connection counts
  /// as lost; nil, the default, for no limit, because some servers send no heartbeats.
  ///
  /// It is also the only limit for the answer to a subscription that is opened, or opened again. Set it
  /// if your server sends heartbeats: otherwise one that accepts a connection and says nothing holds
  /// the subscription until its consumer leaves.
  public var subscriptionIdleTimeout: Duration?

  /// How to open a subscription's lost connection again; nil to end the subscription with an error
  /// instead. Default: as a new ``Reconnection`` says, up to eight attempts in a row.
  public var reconnection: Reconnection? = Reconnection()

  /// Makes the default settings.
  public init() {}
}
