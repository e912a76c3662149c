/// How documents are named instead of being sent.
public struct PersistedOperationsConfiguration: Sendable {
  /// How a document of the manifest is named.
  public enum Identification: Hashable, Sendable {
    /// As `documentId` ("GraphQL over HTTP", appendix "Persisted Documents").
    case documentId
    /// As the hash of the extension `persistedQuery`, as Apollo's servers have it.
    case persistedQuery
  }

  /// What becomes of an operation whose document is not in the manifest.
  public enum Unregistered: Hashable, Sendable {
    /// Its hash is sent first, and its text if the server does not know that.
    case automatic
    /// Its text is sent.
    case text
    /// It is not sent; the result is an error with the code
    /// ``OperationError/Code/unregisteredDocument``.
    case refused
  }

  /// The documents that the server knows; nil for none.
  public var manifest: PersistedManifest?

  /// How a document of the manifest is named. Default ``Identification/documentId``.
  public var identification = Identification.documentId

  /// What becomes of an operation whose document is not in the manifest, or if there is none.
  /// Default ``Unregistered/automatic``.
  public var unregistered = Unregistered.automatic

  /// Which kinds of operations send their hash first; all others send their text. Default queries.
  public var automaticKinds: Set<GraphQLOperation.Kind> = [.query]

  /// Whether a query whose text is not sent is a GET, which is short, so that a content delivery
  /// network can answer it. Default false; ``OperationContext/prefersGET`` decides for one execution.
  public var prefersGET = false

  /// The defaults.
  public init() {}
}

extension OperationError.Code {
  /// The manifest of registered documents does not have the operation's.
  public static let unregisteredDocument = OperationError.Code("unregisteredDocument")
}
