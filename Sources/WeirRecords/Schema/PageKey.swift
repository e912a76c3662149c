import GraphQLLanguage
import Weir

/// How the storage keys of pages are written: `todos@({"status":"open"})({"first":2})`, which is
/// the list's key followed by the arguments that select a page. The key contains everything about a
/// page, so pages loaded from a storage are recognized as pages.
package struct PageKey: Hashable {
  /// Distinguishes lists with equal arguments: the `key` of `@connection`.
  let label: String?
  let pageArguments: Set<String>
  let filter: Set<String>?

  init(_ policy: PagePolicy, label: String? = nil) {
    self.label = label
    pageArguments = policy.pageArguments
    filter = policy.filter
  }

  func counts(_ argument: String) -> Bool {
    pageArguments.contains(argument) || filter?.contains(argument) ?? true
  }

  /// Whether a value contains an argument that selects a page, as in `paging: { first: 10 }`. Such pages
  /// cannot be joined, but one must not be taken for another.
  func selectsPage(_ value: [UInt8]?) -> Bool {
    guard let value, value.first == UInt8(ascii: "{") || value.first == UInt8(ascii: "[") else {
      return false
    }
    return (try? JSON(parsing: value)).map(selectsPage) ?? false
  }

  private func selectsPage(_ value: JSON) -> Bool {
    value.members.contains { pageArguments.contains($0.key) || selectsPage($0.value) }
      || value.elements.contains(where: selectsPage)
  }

  /// The key of the list that a page belongs to; nil if the field is not a page.
  package static func list(of storageKey: String, name: String) -> String? {
    split(storageKey, name: name).map { String(decoding: $0.list, as: UTF8.self) }
  }

  /// The arguments that select a page, and those that distinguish its list, as JSON text.
  package static func arguments(
    of storageKey: String, name: String
  ) -> (page: [UInt8], list: [UInt8])? {
    split(storageKey, name: name).map { parts in
      (
        Array(parts.page.dropFirst().dropLast()),
        Array(parts.list[parts.arguments...].dropFirst().dropLast())
      )
    }
  }

  private static func split(
    _ storageKey: String, name: String
  ) -> (list: ArraySlice<UInt8>, arguments: Int, page: ArraySlice<UInt8>)? {
    let bytes = Array(storageKey.utf8)
    var at = name.utf8.count
    guard bytes.count > at, bytes[at] == UInt8(ascii: "@") else { return nil }
    var isInString = false
    var arguments: Int?
    while at + 1 < bytes.count {
      switch bytes[at] {
      case UInt8(ascii: "\\") where isInString: at += 1
      case UInt8(ascii: "\""): isInString.toggle()
      case UInt8(ascii: "(") where !isInString: arguments = arguments ?? at
      case UInt8(ascii: ")") where !isInString && bytes[at + 1] == UInt8(ascii: "("):
        return (bytes[...at], arguments ?? at, bytes[(at + 1)...])
      default: break
      }
      at += 1
    }
    return nil
  }
}

extension PagePolicy {
  /// The policy of a field: that of `@connection(key:filter:)` on it, otherwise the configured one. The
  /// directive joins pages by token, too, if they are configured.
  static func find(
    for field: Field, configured: PagePolicy?
  ) -> (policy: PagePolicy, key: PageKey)? {
    if let directive = field.directives.first(where: { $0.isKnown(as: .connection) }) {
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
      let tokens = configured.flatMap { $0.hasTokens ? $0 : nil }
      let policy = PagePolicy(
        merge: tokens?.merge ?? .objects(.connection),
        pageArguments: tokens?.pageArguments ?? cursorArguments, filter: filter, view: .run)
      return (policy, PageKey(policy, label: label))
    }
    return configured.map { ($0, PageKey($0)) }
  }
}
