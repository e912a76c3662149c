/// The content of an operation: everything but the settings of an execution.
@usableFromInline
struct OperationContent: Sendable {
  let prepared: PreparedOperation
  /// The identity without the scope that the settings add.
  let identity: OperationIdentity
  private var rare: Shared<Rare>?

  /// The parts that few operations have.
  private struct Rare: Sendable {
    /// The files among the variables.
    var uploads: [PlacedUpload] = []
    var remark: Remark?
  }

  /// A reason to refuse an operation, or to report it.
  enum Remark: Sendable {
    case defect(OperationError)
    case diagnostic(Shared<ClientDiagnostic>)
  }

  /// Creates the content of an operation whose variables have been checked.
  @inline(__always)
  init(_ prepared: PreparedOperation, _ variables: CanonicalVariables, _ remark: Remark?) {
    self.prepared = prepared
    rare =
      variables.uploads.isEmpty && remark == nil
      ? nil : Shared(Rare(uploads: variables.uploads, remark: remark))
    identity =
      variables.isEmpty
      ? prepared.withoutVariables
      : OperationIdentity(
        text: prepared.identityText, variables: variables.bytes, scope: variables.uploads.scope,
        hasLastingUploads: variables.uploads.areLasting)
  }

  init(
    _ prepared: PreparedOperation, declaresVariables: Bool,
    encode: () throws(OperationError) -> CanonicalVariables
  ) {
    var variables: CanonicalVariables
    var remark = prepared.defect.map(Remark.defect)
    do throws(OperationError) {
      variables = try encode()
      if remark == nil, declaresVariables, let diagnostic = try prepared.declared.check(&variables)
      {
        remark = .diagnostic(Shared(diagnostic))
      }
    } catch {
      variables = .none
      remark = remark ?? .defect(error)
    }
    self.init(prepared, variables, remark)
  }

  /// Creates the content of an operation without variables.
  @usableFromInline
  init(_ document: GraphQLDocument, name: String?) {
    let prepared = document.prepared(for: name)
    if prepared.defect == nil, !prepared.declared.requiresValues {
      self.init(prepared: prepared, identity: prepared.withoutVariables, rare: nil)
    } else {
      self.init(prepared, declaresVariables: true) { .none }
    }
  }

  /// Creates the content of an operation with variables that are encoded from a value.
  @usableFromInline
  init(_ document: GraphQLDocument, name: String?, encoding variables: some Encodable) {
    let prepared = document.prepared(for: name)
    self.init(prepared, declaresVariables: true) { () throws(OperationError) in
      try CanonicalVariables.encode(variables, with: prepared.spareEncoding)
    }
  }

  private init(
    prepared: PreparedOperation, identity: consuming OperationIdentity, rare: Shared<Rare>?
  ) {
    self.prepared = prepared
    self.identity = identity
    self.rare = rare
  }

  /// Returns the content of an operation whose variables the generator has checked.
  ///
  /// It is on the path of every hit, so what few operations need is apart.
  @usableFromInline
  static func generated(
    _ document: GraphQLDocument, _ variables: consuming InputWriter
  ) -> OperationContent {
    let prepared = document.prepared(for: nil)
    guard prepared.defect == nil, let bytes = variables.finishPlain() else {
      return unusual(prepared, variables)
    }
    return OperationContent(
      prepared: prepared,
      identity: bytes.count <= 2
        ? prepared.withoutVariables
        : OperationIdentity(text: prepared.identityText, plain: bytes),
      rare: nil)
  }

  @inline(never)
  private static func unusual(
    _ prepared: PreparedOperation, _ variables: consuming InputWriter
  ) -> OperationContent {
    do throws(JSONEncodingError) {
      let variables = CanonicalVariables(try variables.finish())
      return OperationContent(prepared, variables, prepared.defect.map(Remark.defect))
    } catch {
      let error = OperationError.variables("The variables cannot be encoded: \(error)", error)
      return OperationContent(prepared, .none, .defect(prepared.defect ?? error))
    }
  }

  /// Creates the same content under a given key, for tests of collisions.
  init(_ other: OperationContent, key: OperationKey) {
    prepared = other.prepared
    rare = other.rare
    identity = OperationIdentity(other.identity, key: key)
  }
}

extension OperationContent {
  /// The reason why the client refuses or reports the operation; nil for nearly all operations.
  var remark: Remark? { rare?.value.remark }

  /// The files among the variables.
  var uploads: [PlacedUpload] { rare?.value.uploads ?? [] }

  /// Whether it is a query that every fresh result of a cache answers, if these are its settings.
  @inline(__always)
  func acceptsAnyHit(_ context: borrowing OperationContext) -> Bool {
    context.acceptsAnyHit && rare == nil && prepared.kind == .query
  }

  /// Makes the operation fail unless it is of this kind.
  @usableFromInline
  mutating func require(_ kind: GraphQLOperation.Kind) {
    if case .defect = remark { return }
    guard prepared.kind != kind else { return }
    let error = OperationError.document(
      "The document's operation is a \(prepared.kind.rawValue), not a \(kind.rawValue).")
    rare = Shared(Rare(uploads: uploads, remark: .defect(error)))
  }
}

extension OperationError {
  static func variables(_ message: String, _ underlying: (any Error)? = nil) -> OperationError {
    OperationError(code: .variables, message: message, underlying: underlying)
  }
}
