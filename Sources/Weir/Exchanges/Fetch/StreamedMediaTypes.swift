/// The forms in which a server can send several results in one response.
public struct StreamedMediaTypes: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: Int

  /// A set of these bits.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// `text/event-stream`: server-sent events, as graphql-sse has them in its distinct connections
  /// mode.
  public static let eventStream = StreamedMediaTypes(rawValue: 1)
  /// `multipart/mixed`: for queries incremental delivery over HTTP, for subscriptions Apollo's
  /// multipart subscription protocol 1.0.
  public static let multipart = StreamedMediaTypes(rawValue: 2)
}

extension StreamedMediaTypes {
  /// The `accept` of an operation that can have these forms.
  ///
  /// The servers that implement drafts of incremental delivery want to see which one in the media
  /// type's parameters; the others do not look at them. Multipart comes first: of a list, Strawberry
  /// sees a multipart type nowhere else, and an event stream anywhere.
  func accept(for kind: GraphQLOperation.Kind) -> String {
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
    return (types + ["application/graphql-response+json", "application/json;q=0.9"])
      .joined(separator: ", ")
  }
}
