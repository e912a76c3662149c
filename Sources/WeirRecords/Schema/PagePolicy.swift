public import Weir

/// That a field's values under different arguments are pages of one list, and how they make it up.
///
/// See <doc:Lists>. Each page is kept under its own arguments; the list is put together when it is
/// read, so refetching a page, removing it or letting it go changes the list, too.
public struct PagePolicy: Sendable {
  /// What a read of the field shows.
  public enum View: Sendable {
    /// All pages that adjoin the one that is asked for, which must be there itself.
    case run
    /// The page that is asked for and no other.
    case page
  }

  package enum Merge: Sendable {
    case connection
    case offsets(offset: String, limit: String)
    case closure(reading: [String], @Sendable (_ step: PageMergeStep) -> [PageElement])
  }

  package let merge: Merge
  /// The arguments that say which page.
  let pageArguments: Set<String>
  /// Those of the other arguments that make two lists different ones; nil for all.
  package let filter: Set<String>?
  /// What a read shows.
  public let view: View
}

extension FieldPolicy {
  /// Pages as in the GraphQL Cursor Connections Specification: by `first`, `after`, `last` and
  /// `before`, forward, backward or both.
  ///
  /// - Parameters:
  ///   - filter: the arguments, besides those four, that make two lists different ones; nil stands
  ///     for all. Whoever leaves out an argument that does change the list mixes two lists.
  ///   - view: what a read of the field shows.
  /// - Returns: a policy that says nothing else.
  public static func connection(
    filter: Set<String>? = nil, shows view: PagePolicy.View = .run
  ) -> FieldPolicy {
    var policy = FieldPolicy()
    policy.pages = PagePolicy(
      merge: .connection, pageArguments: PagePolicy.cursorArguments, filter: filter, view: view)
    return policy
  }

  /// A list of which pages are asked for by how many elements to leave out and how many to give.
  ///
  /// - Parameters:
  ///   - offset: the argument that says how many elements to leave out; absent stands for none.
  ///   - limit: the argument that says how many elements to give at most.
  ///   - filter: the other arguments that make two lists different ones; nil stands for all.
  ///   - view: what a read of the field shows.
  /// - Returns: a policy that says nothing else.
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

  /// Pages of a list that a closure puts together.
  ///
  /// The closure is called for one page after the other and answers with the elements of all so
  /// far. It may sort, drop and repeat elements. Pages whose arguments differ by one number come in
  /// the order of that; others in the order in which they were first asked for, which a storage
  /// does not keep: sort the elements where that matters.
  /// It runs on every read whose result is not known yet, never under a lock.
  ///
  /// - Parameters:
  ///   - arguments: those that say which page.
  ///   - filter: the other arguments that make two lists different ones; nil stands for all.
  ///   - fields: fields of the elements, without arguments, that the closure wants to see.
  ///   - merge: answers with the elements of the pages so far and of the next one.
  /// - Returns: a policy that says nothing else.
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

/// One call of a closure that puts pages together.
public struct PageMergeStep: Sendable {
  /// The elements of the pages before.
  public let existing: [PageElement]
  /// The elements of one more page.
  public let incoming: [PageElement]
  /// The arguments that say which page the incoming elements are, as an object.
  public let arguments: JSONValue
}

/// An element of a page, as closures see it.
public struct PageElement: Sendable {
  /// The fields that the closure wanted to see, as an object; one that is not known is absent.
  public let fields: JSONValue
  /// What is shown in the end: the two words of a record's cell.
  package let value: (UInt64, UInt64)
}

extension PageElement: Hashable {
  /// Whether both are the same entity, or the same place of the same page.
  public static func == (left: PageElement, right: PageElement) -> Bool { left.value == right.value }

  /// Feeds what makes elements different.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(value.0)
    hasher.combine(value.1)
  }
}

extension PagePolicy {
  static let cursorArguments: Set<String> = ["first", "after", "last", "before"]
}
