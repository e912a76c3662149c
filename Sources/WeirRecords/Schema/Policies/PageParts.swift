/// The names of what makes an object a page of a list.
package struct PageParts: Hashable, Sendable {
  /// The fields with the elements. Those of `edges` lead to entities; those of any other are entities.
  package let lists: [String]
  /// The field with what requests the next page, null in the last one; nil if `pageInfo` says that.
  package let token: String?
  /// The argument with the place behind which the page begins.
  package let after: String

  /// The field that says what follows the page.
  package var end: String { token ?? "pageInfo" }

  package static let connection = PageParts(
    lists: ["edges", "nodes"], token: nil, after: "after")

  /// The list that decides how pages are joined.
  func decisiveList(isSelected: (String) -> Bool) -> String {
    lists.first(where: isSelected) ?? lists[lists.count - 1]
  }
}

extension PagePolicy {
  /// The parts of the pages; nil if these are not objects.
  var parts: PageParts? { if case .objects(let parts) = merge { parts } else { nil } }

  /// Whether each page has a token that requests the next one.
  var hasTokens: Bool { parts?.token != nil }
}

extension RecordPolicies {
  /// The names of all lists that pages may have which are objects.
  var pageLists: [String] {
    fields.values.reduce(into: PageParts.connection.lists) { names, policy in
      names += (policy.pages?.parts?.lists ?? []).filter { !names.contains($0) }
    }
  }

  /// Whether any field has pages by token.
  var hasPageTokens: Bool { fields.values.contains { $0.pages?.hasTokens == true } }
}
