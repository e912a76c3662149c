import Weir

/// The lists of several pages that an update has read and writes back.
///
/// A connection whose lists have the same elements as before is not written, whatever has changed below it:
/// the requested page must not take over what others have.
struct UpdatedPages {
  /// The connections that have been found in the new data, by the index of their pages.
  private var connections: [Int: Connection] = [:]
  private let joined: [JoinedPages]

  private struct Connection {
    /// By the cells of the new data, the elements that the lists had before.
    var lists: [TapeIndex: ContiguousArray<Cell>] = [:]
    /// The other members that are the same as before.
    var unchanged: Set<TapeIndex> = []
  }

  init(_ shown: ShownData?, in data: JSON) {
    joined = shown?.joined.filter { $0.pages.count > 1 } ?? []
    guard let shown else { return }
    for (number, pages) in joined.enumerated() {
      guard let cells = pages.cells else { continue }
      connections[number] = Self.connection(cells, in: data, before: shown.data)
    }
  }

  /// Finds a connection in the place that it had before; nil if it is not there.
  private static func connection(
    _ cells: ConnectionCells, in data: JSON, before shown: JSON
  ) -> Connection? {
    let document = shown.document
    let paths = document.paths(to: [cells.object] + cells.lists.map(\.cell))
    guard let object = data.value(at: paths[0]), object.kind == .object else { return nil }
    var connection = Connection()
    for (path, list) in zip(paths.dropFirst(), cells.lists) {
      guard let value = data.value(at: path), value.kind == .array else { return nil }
      connection.lists[value.index] = list.elements
    }
    let old = JSON(document: document, index: cells.object)
    for (key, value) in object.members where connection.lists[value.index] == nil {
      guard let before = old[key] else { continue }
      if value == before {
        connection.unchanged.insert(value.index)
      } else if before.index == cells.information, value.kind == .object {
        for (key, value) in value.members where before[key] == value {
          connection.unchanged.insert(value.index)
        }
      }
    }
    return connection
  }

  /// The members that are not to be written.
  var unchanged: Set<TapeIndex> {
    connections.values.reduce(into: []) { $0.formUnion($1.unchanged) }
  }

  /// The lists that are not to be written if they have the same elements as before.
  var lists: [TapeIndex: ContiguousArray<Cell>] {
    connections.values.reduce(into: [:]) { $0.merge($1.lists) { first, _ in first } }
  }

  /// Stops keeping back the connections of which a list has changed.
  ///
  /// - Parameter kept: the lists that were not written, because they have the same elements as before.
  /// - Returns: whether there are any. Then they have to be written, too.
  mutating func releaseChanged(except kept: Set<TapeIndex>) -> Bool {
    let changed = connections.filter { !$0.value.lists.keys.allSatisfy(kept.contains) }
    for number in changed.keys { connections[number] = nil }
    return !changed.isEmpty
  }

  /// The lists that are written, all of each to the requested page.
  var written: [JoinedPages] {
    joined.enumerated().filter { connections[$0.offset] == nil }.map(\.element)
  }
}

extension JSON {
  fileprivate func value(at path: [GraphQLError.PathElement]) -> JSON? {
    path.reduce(self) { (value: JSON?, step) in
      switch step {
      case .key(let key): value?[key]
      case .index(let index): value?[index]
      }
    }
  }
}
