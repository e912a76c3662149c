import GraphQLLanguage

/// The documents that were registered with a server before the app was shipped, and their
/// identifiers.
///
/// Decode it from a file: Apollo's manifest (`{"format": …, "operations": [{"id", "name", "type",
/// "body"}]}`), or an object of texts by identifier, as Relay's compiler and the GraphQL Code
/// Generator write it. It is encoded in Apollo's format.
///
/// Documents are compared in canonical form, so white space, comments and the order of fragments do
/// not matter. But a document must contain everything that ``GraphQLOperation/text`` contains: if a
/// registered text lacks `__typename`, so do the server's responses, and the caches cannot detect
/// changes. The safest way is a manifest of the app's own operations:
///
/// ```swift
/// let manifest = PersistedManifest(hashing: [feedQuery, postQuery, updatePost])
/// try JSON.encode(manifest)   // for the server
/// ```
public struct PersistedManifest: Sendable {
  /// A document and its identifier.
  public struct Entry: Hashable, Sendable {
    /// The identifier.
    public var id: String
    /// The document's text.
    public var text: String

    /// Makes an entry.
    public init(id: String, text: String) {
      self.id = id
      self.text = text
    }
  }

  /// The documents, in order.
  public let entries: [Entry]
  private let ids: [ExactString: String]
  private let names: Set<String>
  private let described: [Description]

  /// Makes a manifest of documents, and parses all of them.
  ///
  /// - Throws: ``OperationError`` with the code ``OperationError/Code/document`` for the first
  ///   document that cannot be executed.
  public init(_ entries: [Entry]) throws(OperationError) {
    var ids: [ExactString: String] = [:]
    var described: [Description] = []
    for entry in entries {
      for operation in try entry.operations() {
        if operation.isComplete { ids[ExactString(operation.prepared.text)] = entry.id }
        described.append(Description(id: entry.id, of: operation.prepared, text: entry.text))
      }
    }
    self.init(entries, ids, described)
  }

  /// Makes a manifest of operations, each identified by the SHA-256 of the text that is sent.
  ///
  /// Operations that cannot be executed are left out, because they are never sent.
  public init(hashing operations: [GraphQLOperation]) {
    self.init(hashing: operations.filter { $0.defect == nil }.map(\.prepared))
  }

  /// Makes a manifest of a document's operations, whose variables need no values.
  ///
  /// - Throws: the defect of the first operation that cannot be sent: a manifest without it would look
  ///   complete.
  package init(hashing document: GraphQLDocument, names: [String]) throws(OperationError) {
    let operations = names.map { document.prepared(for: $0) }
    if let defect = operations.lazy.compactMap(\.defect).first { throw defect }
    self.init(hashing: operations)
  }

  private init(hashing operations: [PreparedOperation]) {
    var entries: [Entry] = []
    var ids: [ExactString: String] = [:]
    var described: [Description] = []
    for prepared in operations where ids[ExactString(prepared.text)] == nil {
      let id = prepared.textDigest.hexadecimal
      entries.append(Entry(id: id, text: prepared.text))
      ids[ExactString(prepared.text)] = id
      described.append(Description(id: id, of: prepared, text: prepared.text))
    }
    self.init(entries, ids, described)
  }

  private init(_ entries: [Entry], _ ids: [ExactString: String], _ described: [Description]) {
    self.entries = entries
    self.ids = ids
    self.described = described
    names = Set(described.map(\.name))
  }

  /// Returns the identifier of an operation's document; nil if its text is not in the manifest.
  public func id(of operation: GraphQLOperation) -> String? {
    ids[ExactString(operation.text)]
  }

  /// Returns the error for an operation whose document is not in the manifest.
  func absence(of operation: GraphQLOperation) -> OperationError {
    let name = operation.name ?? "an anonymous operation"
    let hint =
      names.contains(operation.name ?? "")
      ? " It has a document of that name with another text, which may lack __typename." : ""
    return OperationError(
      code: .unregisteredDocument,
      message: "The manifest of persisted operations does not contain the text of \(name).\(hint)")
  }
}

extension PersistedManifest.Entry {
  /// Returns the operations of the text, and whether it contains everything that is sent for them.
  fileprivate func operations() throws(OperationError) -> [(
    prepared: PreparedOperation, isComplete: Bool
  )] {
    let document: Document
    do {
      document = try Document(parsing: text)
    } catch {
      throw OperationError(syntaxError: error)
    }
    guard !document.operations.isEmpty else {
      throw .document("The document of a manifest entry has no operation.")
    }
    var operations: [(prepared: PreparedOperation, isComplete: Bool)] = []
    for operation in document.operations {
      let prepared = try PreparedOperation(document: document, operationName: operation.name)
      let isComplete =
        operation == prepared.definition
        && document.fragments.allSatisfy { fragment in
          prepared.fragments[fragment.name].map { $0 == fragment } ?? true
        }
      operations.append((prepared, isComplete))
    }
    return operations
  }
}

// MARK: - Files

extension PersistedManifest: Codable {
  /// One operation in Apollo's format.
  private struct Description: Codable, Sendable {
    var id: String
    var name: String
    var type: String
    var body: String

    init(id: String, of operation: PreparedOperation, text: String) {
      self.id = id
      name = operation.name ?? ""
      type = operation.kind.rawValue
      body = text
    }
  }

  private struct Listed: Decodable {
    var id: String
    var body: String
  }

  private enum CodingKeys: String, CodingKey {
    case format, version, operations
  }

  /// Decodes either format.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let entries: [Entry]
    if container.contains(.operations), container.contains(.format) {
      let listed = try container.decode([Listed].self, forKey: .operations)
      entries = listed.map { Entry(id: $0.id, text: $0.body) }
    } else {
      let texts = try [String: String](from: decoder)
      entries = texts.sorted { $0.key < $1.key }.map { Entry(id: $0.key, text: $0.value) }
    }
    do {
      try self.init(entries)
    } catch {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath, debugDescription: error.description,
          underlyingError: error))
    }
  }

  /// Encodes Apollo's format, version 1.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode("apollo-persisted-query-manifest", forKey: .format)
    try container.encode(1, forKey: .version)
    try container.encode(described, forKey: .operations)
  }
}
