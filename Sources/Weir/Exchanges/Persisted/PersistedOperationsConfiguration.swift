/// How documents are identified instead of sending their text.
public struct PersistedOperationsConfiguration: Sendable {
  /// How a document of the manifest is identified.
  public enum Identification: Hashable, Sendable {
    /// By the parameter `documentId` ("GraphQL over HTTP", appendix "Persisted Documents"): the entry's id as
    /// it is, in a manifest that Weir makes the SHA-256 of the text in hexadecimal digits. A server may
    /// expect the appendix's prefix `sha256:` before them: then make a manifest of entries that have it.
    ///
    /// ```swift
    /// let prefixed = try PersistedManifest(
    ///   manifest.entries.map { .init(id: "sha256:" + $0.id, text: $0.text) })
    /// ```
    case documentId
    /// By the hash in the extension `persistedQuery`, as Apollo's servers expect it.
    case persistedQuery
  }

  /// What happens to an operation whose document is not in the manifest.
  public enum Unregistered: Hashable, Sendable {
    /// Its hash is sent first, then its text if the server does not know the hash.
    case automatic
    /// Its text is sent.
    case text
    /// It is not sent; its result is an error with the code
    /// ``OperationError/Code/unregisteredDocument``. This does not concern the operations that a
    /// ``SubscriptionExchange`` above sends.
    case refused
  }

  /// The registered documents; nil for none.
  public var manifest: PersistedManifest?

  /// How a document of the manifest is identified. Default ``Identification/documentId``.
  public var identification = Identification.documentId

  /// What happens to an operation whose document is not in the manifest, also without a manifest.
  /// Default ``Unregistered/automatic``.
  public var unregistered = Unregistered.automatic

  /// The kinds of operations whose hash is sent first; for others the text is sent. Default
  /// queries.
  public var automaticKinds: Set<GraphQLOperation.Kind> = [.query]

  /// Whether a query whose text is not sent is sent by GET, so that a content delivery network can
  /// answer it. Default false; ``OperationContext/prefersGET`` overrides it for one execution.
  public var prefersGET = false

  /// Makes the default settings.
  public init() {}
}

extension OperationError.Code {
  /// The manifest of registered documents does not contain the operation's document.
  public static let unregisteredDocument = OperationError.Code("unregisteredDocument")
}
