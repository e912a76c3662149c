/// Divides names into groups whose members lead to each other, in time in proportion to the links.
///
/// A schema can have thousands of input objects that all contain each other, as filters do, so a search
/// from each of them would take too long.
package struct LinkGroups {
  private let groups: [String: Int]

  /// Finds the groups; `links` are the names to which each name leads.
  package init(_ links: [String: [String]], order names: [String]) {
    groups = Self.groups(links, names)
  }

  /// Whether two names lead to each other, or are one.
  package func areTogether(_ one: String, _ other: String) -> Bool {
    guard let group = groups[one] else { return false }
    return group == groups[other]
  }

  /// Visits all names in depth, then again in the opposite direction, the last ones that were left
  /// first: what is reached then, and was not before, is a group (the algorithm of Kosaraju).
  private static func groups(_ targets: [String: [String]], _ names: [String]) -> [String: Int] {
    var sources: [String: [String]] = [:]
    for (name, targets) in targets {
      for target in targets { sources[target, default: []].append(name) }
    }
    var seen: Set<String> = []
    let left = names.filter { targets[$0] != nil }.flatMap { reached(from: $0, targets, &seen) }
    seen = []
    var groups: [String: Int] = [:]
    for (index, name) in left.reversed().enumerated() {
      for member in reached(from: name, sources, &seen) { groups[member] = index }
    }
    return groups
  }

  /// Returns the names that are reached and were not seen before, in the order in which a search in
  /// depth leaves them. It has a stack of its own.
  private static func reached(
    from start: String, _ links: [String: [String]], _ seen: inout Set<String>
  ) -> [String] {
    guard seen.insert(start).inserted else { return [] }
    var left: [String] = []
    var path = [(name: start, next: links[start, default: []][...])]
    while let last = path.indices.last {
      guard let next = path[last].next.popFirst() else {
        left.append(path.removeLast().name)
        continue
      }
      if seen.insert(next).inserted { path.append((next, links[next, default: []][...])) }
    }
    return left
  }
}
