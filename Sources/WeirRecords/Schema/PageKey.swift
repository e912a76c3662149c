import GraphQLLanguage
package import Weir

/// How the storage keys of pages are written: `todos@({"status":"open"})({"first":2})`, which is
/// the list's key followed by the arguments that select a page. The key contains everything about a
/// page, so pages loaded from a storage are recognized as pages.
package struct PageKey: Hashable {
  /// Distinguishes lists with equal arguments: the `key` of `@connection`.
  let label: String?
  let pageArguments: Set<String>
  package let filter: Set<String>?

  package init(_ policy: PagePolicy, label: String? = nil) {
    self.label = label
    pageArguments = policy.pageArguments
    filter = policy.filter
  }

  func counts(_ argument: String) -> Bool {
    pageArguments.contains(argument) || filter?.contains(argument) ?? true
  }

  /// The key of the list that a page belongs to; nil if the key is not that of a page.
  package static func list(of storageKey: String, name: String) -> String? {
    split(storageKey, name: name).map { String(decoding: $0.list, as: UTF8.self) }
  }

  /// The arguments that select the page, as JSON text.
  package static func arguments(of storageKey: String, name: String) -> [UInt8]? {
    split(storageKey, name: name).map { Array($0.page.dropFirst().dropLast()) }
  }

  /// The arguments in a list's own key.
  package static func arguments(ofList key: String, name: String) -> JSONObject {
    let bytes = Array(key.utf8).dropFirst(name.utf8.count)
    var isInString = false
    var isEscaped = false
    let start = bytes.firstIndex { byte in
      if byte == UInt8(ascii: "\""), !isEscaped { isInString.toggle() }
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
      return byte == UInt8(ascii: "(") && !isInString
    }
    guard let start else { return [:] }
    let text = Array(bytes[start...].dropFirst().dropLast())
    return (try? JSON(parsing: text))?.value.object ?? [:]
  }

  private static func split(
    _ storageKey: String, name: String
  ) -> (list: ArraySlice<UInt8>, page: ArraySlice<UInt8>)? {
    let bytes = Array(storageKey.utf8)
    var at = name.utf8.count
    guard bytes.count > at, bytes[at] == UInt8(ascii: "@") else { return nil }
    var isInString = false
    while at + 1 < bytes.count {
      switch bytes[at] {
      case UInt8(ascii: "\\") where isInString: at += 1
      case UInt8(ascii: "\""): isInString.toggle()
      case UInt8(ascii: ")") where !isInString && bytes[at + 1] == UInt8(ascii: "("):
        return (bytes[...at], bytes[(at + 1)...])
      default: break
      }
      at += 1
    }
    return nil
  }
}

extension PagePolicy {
  /// The policy of a field: that of `@connection(key:filter:)` on it, otherwise the configured one.
  static func find(
    for field: Field, configured: PagePolicy?
  ) -> (policy: PagePolicy, key: PageKey)? {
    if let directive = field.directives.first(where: { $0.name == "connection" }) {
      var label: String?
      var filter: Set<String>?
      for argument in directive.arguments {
        switch (argument.name, argument.value) {
        case ("key", .string(let text)): label = text.value
        case ("filter", .list(let names)), ("filters", .list(let names)):
          filter = Set(
            names.compactMap { if case .string(let name) = $0 { name.value } else { nil } })
        default: continue
        }
      }
      let policy = PagePolicy(
        merge: .connection, pageArguments: cursorArguments, filter: filter, view: .run)
      return (policy, PageKey(policy, label: label))
    }
    return configured.map { ($0, PageKey($0)) }
  }
}
