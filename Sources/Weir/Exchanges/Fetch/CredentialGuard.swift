import Foundation

/// Compares the credentials of the requests whose results are shared.
///
/// Dedup and the caches share results between operations of equal scope: the same endpoint and the
/// same headers that are not neutral. If an exchange below them adds credentials, these are not
/// part of the scope, and one user would get another's data. The guard keeps a digest of the
/// credentials that were sent first under each scope, in each session, and compares. Those of an
/// auth exchange are compared until it renews them.
final class CredentialGuard: Sendable {
  fileprivate struct Key: Hashable {
    let session: Session
    let scope: String
  }

  fileprivate struct Credential {
    var digest = ""
    /// See `OperationContext.Renewal`: 0 if no auth exchange has attached it.
    let renewal: UInt64

    /// Whether it is another one, and not a renewed one.
    func contradicts(_ other: Credential) -> Bool {
      digest != other.digest
        && (renewal == other.renewal || renewal == 0 || other.renewal == 0)
    }
  }

  /// The credentials in a request, by the header's name.
  fileprivate typealias Credentials = [String: Credential]

  fileprivate struct State {
    /// The scopes in use; when there are many, those that were not used lately are forgotten.
    var recent: [Key: Credentials] = [:]
    var older: [Key: Credentials] = [:]
    var told: Set<String> = []
  }

  fileprivate static let maximumCount = 10_000
  private let state = Locked(State())
  /// The number of the latest session.
  private let number = AtomicWord()

  /// The latest session that the exchange has met.
  var session: Session { Session(number: number.load()) }

  /// A session is about to begin: credentials that are added from now on may belong to it.
  func switchSession(to session: Session) {
    number.raise(to: session.number)
  }

  /// Checks the headers that a configuration adds to an operation, after it has returned them.
  ///
  /// - Throws: the error of an ended session if they contain credentials and the operation belongs
  ///   to an older session: they may be the next user's.
  func check(added headers: HTTPHeaders, to operation: GraphQLOperation) throws(OperationError) {
    let context = operation.context
    let latest = number.load()
    if context.session.number > latest { number.raise(to: context.session.number) }
    guard context.session.number < latest else { return }
    let rules = context.headerRules
    if headers.contains(where: { rules.isCredential($0.name.lowercased()) }) { throw .cancelled }
  }

  /// Checks the headers that a configuration and a context add to a request, before it is sent.
  ///
  /// - Throws: an error with the code `credentials` if the client serves several users and the
  ///   credentials differ from earlier ones.
  func check(_ headers: HTTPHeaders, of operation: GraphQLOperation) throws(OperationError) {
    let context = operation.context
    if headers.isEmpty, context.client?.servesSeveralUsers != true { return }
    guard let scope = context.sharedScope else { return }
    let configuration = context.client ?? ClientConfiguration()
    let renewals = context.renewals
    if !configuration.servesSeveralUsers, renewals != nil { return }
    var sent: Credentials = [:]
    for field in headers {
      let name = field.name.lowercased()
      guard context.headerRules.isCredential(name) else { continue }
      let attached = renewals?[name].flatMap { $0.value == headers[name] ? $0 : nil }
      let renewal = (attached ?? renewals?[""])?.count ?? 0
      sent[name, default: Credential(renewal: renewal)].digest +=
        ProcessSalt.digest(of: field.value)
    }
    if sent.isEmpty, !configuration.servesSeveralUsers { return }
    let key = Key(session: context.session, scope: scope)
    let (former, told) = state.withLock { ($0.former(sent, for: key), $0.told) }
    let changed = sent.filter { name, credential in
      former[name].map(credential.contradicts) ?? false
    }
    if configuration.servesSeveralUsers {
      // A renewal replaces a credential, but adds and removes none.
      let names = Set(former.keys).symmetricDifference(sent.keys).union(changed.keys)
      if let name = names.min() { throw .secondCredential(name) }
    } else if let name = changed.keys.min(), !told.contains(name),
      state.withLock({ $0.told.insert(name).inserted })
    {
      configuration.report(.credentials(name))
    }
  }
}

extension CredentialGuard.State {
  /// The credentials that were sent first under a key, or first since they were renewed: these, if there
  /// were none. Keeps those that were renewed since.
  fileprivate mutating func former(
    _ sent: CredentialGuard.Credentials, for key: CredentialGuard.Key
  ) -> CredentialGuard.Credentials {
    let former = recent[key] ?? older.removeValue(forKey: key) ?? sent
    if recent[key] == nil, recent.count >= CredentialGuard.maximumCount / 2 {
      older = recent
      recent = [:]
    }
    recent[key] = former
    for (name, credential) in sent {
      guard let known = former[name], known.renewal < credential.renewal,
        !credential.contradicts(known)
      else { continue }
      recent[key]?[name] = credential
    }
    return former
  }
}

extension OperationError.Code {
  /// In a client that serves several users, a request had other credentials than an earlier one
  /// with the same key. It was not sent: see ``ClientConfiguration/servesSeveralUsers``.
  public static let credentials = OperationError.Code("credentials")
}

extension OperationError {
  fileprivate static func secondCredential(_ name: String) -> OperationError {
    OperationError(
      code: .credentials,
      message: "The header \(name) differs from that of an earlier request whose results this one "
        + "would share, and the client serves several users. The request was not sent. Set the "
        + "header in the operation's context before dedup and the caches, so that it is part of "
        + "the key.")
  }
}

extension ClientDiagnostic {
  fileprivate static func credentials(_ name: String) -> ClientDiagnostic {
    ClientDiagnostic(
      code: .credentials,
      message: "The header \(name) has changed between requests that share cached results. If the "
        + "client has one user whose token was renewed, attach it by an AuthExchange. If it has "
        + "several, set the header in the operation's context, and servesSeveralUsers.")
  }
}
