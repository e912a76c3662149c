public import Weir

/// Declares that a field's values under different arguments are pages of one list, and how they are
/// joined.
///
/// See <doc:Lists>. Each page is stored under its own arguments, and the list is assembled when it
/// is read. Therefore refetching, removing or evicting a page changes the list, too.
public struct PagePolicy: Sendable {
  /// The part of a list that a read of the field shows.
  public enum View: Sendable {
    /// All pages that adjoin the requested one, which must be present.
    case run
    /// Only the requested page.
    case page
  }

  package enum Merge: Sendable {
    case objects(PageParts)
    case offsets(offset: String, limit: String)
    case closure(reading: [String], @Sendable (_ step: PageMergeStep) -> [PageElement])
  }

  let merge: Merge
  /// The arguments that select a page.
  let pageArguments: Set<String>
  /// The other arguments that distinguish lists; nil for all.
  let filter: Set<String>?
  /// The part of the list that a read shows.
  public let view: View
}

extension FieldPolicy {
  /// Declares pages as in the GraphQL Cursor Connections Specification: by `first`, `after`, `last`
  /// and `before`, forward, backward or both. Those within an input object do not join pages.
  ///
  /// - Parameters:
  ///   - filter: the arguments, besides those four, that distinguish lists; nil for all. If you
  ///     omit an argument that changes the list, two lists are mixed. An argument that contains one of
  ///     those four, such as `paging: { first: 10 }`, always counts.
  ///   - view: the part of the list that a read shows.
  ///
  /// - Returns: a policy that declares nothing else.
  public static func connection(
    filter: Set<String>? = nil, shows view: PagePolicy.View = .run
  ) -> FieldPolicy {
    var policy = FieldPolicy()
    policy.pages = PagePolicy(
      merge: .objects(.connection), pageArguments: PagePolicy.cursorArguments, filter: filter,
      view: view)
    return policy
  }

  /// Declares pages that are requested by the number of elements to skip and the number to return, in
  /// arguments of the field. Numbers within an input object do not join pages.
  ///
  /// - Parameters:
  ///   - offset: the argument with the number of elements to skip; absent means none.
  ///   - limit: the argument with the maximum number of elements to return.
  ///   - filter: the other arguments that distinguish lists; nil for all.
  ///   - view: the part of the list that a read shows.
  ///
  /// - Returns: a policy that declares nothing else.
  public static func offsetPages(
    offset: String = "offset", limit: String = "limit", filter: Set<String>? = nil,
    shows view: PagePolicy.View = .run
  ) -> FieldPolicy {
    var policy = FieldPolicy()
    policy.pages = PagePolicy(
      merge: .offsets(offset: offset, limit: limit), pageArguments: [offset, limit],
      filter: filter, view: view)
    return policy
  }

  /// Declares pages that are objects, each with a list and the token that requests the next page, as
  /// those of AWS AppSync: `listTodos(limit: 20, nextToken: "…") { items { id } nextToken }`. The
  /// list ends with the page whose token is null.
  ///
  /// - Parameters:
  ///   - items: the field of the page with its elements, which are objects.
  ///   - token: the field of the page with what requests the next one. Select it in each document: no
  ///     page follows one whose token is not cached.
  ///   - argument: the argument with the token of the page before, a string or a number; absent or null for the
  ///     first page.
  ///     Within an input object it does not join pages.
  ///   - limit: the argument with the maximum number of elements to return. A field may lack it.
  ///   - filter: the other arguments that distinguish lists; nil for all.
  ///   - view: the part of the list that a read shows.
  ///
  /// - Returns: a policy that declares nothing else.
  public static func tokenPages(
    items: String = "items", token: String = "nextToken", argument: String = "nextToken",
    limit: String = "limit", filter: Set<String>? = nil, shows view: PagePolicy.View = .run
  ) -> FieldPolicy {
    var policy = FieldPolicy()
    let parts = PageParts(lists: [items], token: token, after: argument)
    policy.pages = PagePolicy(
      merge: .objects(parts), pageArguments: [argument, limit], filter: filter, view: view)
    return policy
  }

  /// Declares pages that a closure joins.
  ///
  /// The closure is called for one page after another and returns the elements of all pages so far.
  /// It may sort, drop and repeat elements. Pages whose arguments differ in one number come in the
  /// order of that number. Other pages come in the order in which they were first requested, which
  /// a storage does not keep: sort the elements if that matters.
  ///
  /// The closure runs on every read whose result is not known yet, never while a lock is held.
  ///
  /// - Parameters:
  ///   - arguments: the names of the arguments that select a page.
  ///   - filter: the other arguments that distinguish lists; nil for all.
  ///   - fields: fields of the elements, without arguments, that the closure receives.
  ///   - merge: returns the elements of the pages so far and of the next one.
  ///
  /// - Returns: a policy that declares nothing else.
  public static func pages(
    arguments: Set<String>, filter: Set<String>? = nil, reading fields: [String] = [],
    merge: @escaping @Sendable (PageMergeStep) -> [PageElement]
  ) -> FieldPolicy {
    var policy = FieldPolicy()
    policy.pages = PagePolicy(
      merge: .closure(reading: fields, merge), pageArguments: arguments, filter: filter,
      view: .run)
    return policy
  }
}

/// One call of a closure that joins pages.
public struct PageMergeStep: Sendable {
  /// The elements of the previous pages.
  public let existing: [PageElement]
  /// The elements of the next page.
  public let incoming: [PageElement]
  /// The arguments that select the next page, as an object.
  public let arguments: JSONValue
}

/// An element of a page, as a closure sees it.
public struct PageElement: Sendable {
  /// The fields that the closure requested, as an object. Unknown fields are absent.
  public let fields: JSONValue
  /// The two words of the record's cell that is shown.
  let value: (UInt64, UInt64)
}

extension PageElement: Hashable {
  /// Returns whether both are the same entity, or the same place in the same page.
  public static func == (left: PageElement, right: PageElement) -> Bool {
    left.value == right.value
  }

  /// Hashes what distinguishes elements.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(value.0)
    hasher.combine(value.1)
  }
}

extension PagePolicy {
  static let cursorArguments: Set<String> = ["first", "after", "last", "before"]
  private static let usualLimit = "limit"

  /// The arguments that the field must have. Few connections have all four, and a server may determine
  /// the length of pages itself.
  package var requiredArguments: Set<String> {
    let names: Set<String> =
      switch merge {
      case .objects(let parts) where parts.token == nil: []
      case .objects, .offsets: pageArguments.subtracting([Self.usualLimit])
      case .closure: pageArguments
      }
    return names.union(filter ?? [])
  }
}
