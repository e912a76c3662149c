import Foundation

/// The endpoint and the headers of a context, and whether exchanges add credentials, as far as they
/// distinguish the results of equal operations.
///
/// Its texts consist of parts with their lengths: the endpoint, or a digest of one that may contain
/// a secret, then names and digests of the headers that are not neutral. So no text of a key, of a
/// snapshot or of a log contains a header's value, or a password of the endpoint.
package final class OperationScope: Sendable {
  /// With the digests of credentials, which are salted with the process's seed.
  package let text: String
  /// Without the values of credentials; nil if there are none.
  let stableText: String?

  init?(
    endpoint: URL?, headers: HTTPHeaders, rules: HeaderRules, skipsAuthentication: Bool
  ) {
    var parts: [String] = []
    var stable: [String] = []
    func append(_ value: String, isCredential: Bool) {
      parts.append(isCredential ? ProcessSalt.digest(of: value) : value)
      stable.append(isCredential ? "" : value)
    }
    let location = endpoint?.absoluteString ?? ""
    append(
      endpoint?.query == nil ? location : SHA256Digest.short(of: Array(location.utf8)),
      isCredential: endpoint?.user() != nil || endpoint?.password() != nil)
    for (name, value) in headers.distinguishing(by: rules) {
      let isCredential = rules.isCredential(name)
      append(name, isCredential: false)
      append(
        isCredential ? value : SHA256Digest.short(of: Array(value.utf8)), isCredential: isCredential
      )
    }
    if skipsAuthentication { for part in Self.anonymous { append(part, isCredential: false) } }
    guard endpoint != nil || parts.count > 1 else { return nil }
    text = Self.joined(parts)
    stableText = parts == stable ? nil : Self.joined(stable)
  }

  /// Stands for executions without the credentials that exchanges add. No header has such a name.
  fileprivate static let anonymous = [":credentials", "none"]

  fileprivate static func joined(_ parts: [String]) -> String {
    parts.map { "\($0.utf8.count):\($0)" }.joined()
  }
}

/// The scope of a context and its copies, which is made when it is first needed: the digests take longer
/// than a hit.
final class ScopeMemo: Sendable {
  private let last = Locked<(rules: HeaderRules, scope: OperationScope?)?>(nil)

  func scope(under rules: HeaderRules, _ make: () -> OperationScope?) -> OperationScope? {
    last.withLock { last in
      if let last, last.rules == rules { return last.scope }
      let scope = make()
      last = (rules, scope)
      return scope
    }
  }
}

extension OperationContext {
  /// A digest of the endpoint and the headers that a storage can keep: equal in every process with
  /// the same salt. Nil if the context has neither.
  package func scopeDigest(salt: [UInt8]) -> String? {
    guard scope != nil else { return nil }
    var parts = [endpoint?.absoluteString ?? ""]
    for (name, value) in headers.distinguishing(by: headerRules) { parts += [name, value] }
    if skipsAuthentication { parts += OperationScope.anonymous }
    return SHA256Digest.short(of: salt + Array(OperationScope.joined(parts).utf8))
  }
}

extension HTTPHeaders {
  /// The headers that are not neutral, by name in lower case; fields of one name keep their order.
  fileprivate func distinguishing(by rules: HeaderRules) -> [(name: String, value: String)] {
    var found: [(name: String, value: String)] = []
    for field in self {
      let name = field.name.lowercased()
      if !rules.isNeutral(name) { found.append((name, field.value)) }
    }
    guard found.count > 1 else { return found }
    let order = found.indices.sorted { (found[$0].name, $0) < (found[$1].name, $1) }
    return order.map { found[$0] }
  }
}

/// A secret of this process, so that the digest of a credential says nothing outside it.
enum ProcessSalt {
  private static let bytes: [UInt8] = {
    var generator = SystemRandomNumberGenerator()
    return (0..<32).map { _ in .random(in: .min ... .max, using: &generator) }
  }()

  static func digest(of value: String) -> String {
    SHA256Digest.short(of: bytes + Array(value.utf8))
  }
}

extension SHA256Digest {
  /// The first half of a digest.
  package static func short(of message: [UInt8]) -> String {
    String(hexadecimal(of: message).prefix(32))
  }
}
