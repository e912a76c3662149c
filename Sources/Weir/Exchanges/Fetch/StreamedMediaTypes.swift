/// The formats in which a server can send several results in one response.
public struct StreamedMediaTypes: OptionSet, Hashable, Sendable {
  /// The bits of the set.
  public let rawValue: Int

  /// Makes a set of bits.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// `text/event-stream`: server-sent events, as in graphql-sse's distinct connections mode.
  public static let eventStream = StreamedMediaTypes(rawValue: 1)
  /// `multipart/mixed`: incremental delivery over HTTP for queries and mutations, and Apollo's
  /// multipart subscription protocol 1.0 for subscriptions.
  public static let multipart = StreamedMediaTypes(rawValue: 2)
}

extension StreamedMediaTypes {
  /// Returns the `accept` field of an operation whose response may have these formats.
  ///
  /// Servers that implement a draft of incremental delivery expect it in the media type's
  /// parameters; other servers ignore them. Multipart comes first, because Strawberry recognizes a
  /// multipart type only at the start of the list. For subscriptions by event stream alone, that is
  /// the whole list: graphql-sse compares the field with this text, and Spring for GraphQL passes a
  /// request that accepts JSON to another handler, which knows no subscriptions.
  func accept(for kind: GraphQLOperation.Kind) -> String {
    if isEmpty { return Self.complete }
    if kind == .subscription, self == .eventStream { return "text/event-stream" }
    var types: [String] = []
    if contains(.multipart) {
      types +=
        kind == .subscription
        ? ["multipart/mixed;subscriptionSpec=1.0"]
        : [
          "multipart/mixed;incrementalSpec=v0.2", "multipart/mixed;deferSpec=20220824",
          "multipart/mixed",
        ]
    }
    if contains(.eventStream) { types.append("text/event-stream") }
    return (types + [Self.complete]).joined(separator: ", ")
  }

  /// The media types of a complete response.
  private static let complete = "application/graphql-response+json, application/json;q=0.9"
}
