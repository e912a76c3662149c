/// The names of the types that a walk over responses has met.
///
/// Any number of names: a server may invent them.
struct TypeNames {
  /// The position of a name among those that were met.
  typealias Index = Int

  /// How many elements are searched one by one, which is faster than hashing.
  static let few = 16

  private var names: [(text: String, bytes: [UInt8], lastWalk: Int)]
  /// Where the names after the first few are.
  private var others: [String: Index] = [:]

  init(_ first: String) {
    names = [(first, Array(first.utf8), 0)]
  }

  var count: Int { names.count }

  subscript(index: Index) -> String { names[index].text }

  func matches(_ cell: JSONCell, at index: Index, tape: JSONTape) -> Bool {
    tape.matches(cell, names[index].bytes)
  }

  /// Returns where a name is; adds it if it is new.
  mutating func index(of cell: JSONCell, tape: JSONTape) -> Index {
    if let known = names.prefix(Self.few).firstIndex(where: { tape.matches(cell, $0.bytes) }) {
      return known
    }
    let name = tape.string(cell)
    if let known = others[name] { return known }
    names.append((name, Array(name.utf8), 0))
    if count > Self.few { others[name] = count - 1 }
    return count - 1
  }

  /// Notes that a walk, counted from 1, has met a type; returns whether for the first time.
  mutating func meet(_ index: Index, inWalk walk: Int) -> Bool {
    guard names[index].lastWalk != walk else { return false }
    names[index].lastWalk = walk
    return true
  }
}

/// The names of the root types. Looked up with each response, so without hashing.
struct RootTypenames {
  let query: String
  let mutation: String
  let subscription: String

  /// With the usual names for those that are missing.
  init(_ names: [GraphQLOperation.Kind: String]) {
    func name(_ kind: GraphQLOperation.Kind) -> String { names[kind] ?? kind.typename }
    (query, mutation, subscription) = (name(.query), name(.mutation), name(.subscription))
  }

  subscript(_ kind: GraphQLOperation.Kind) -> String {
    switch kind {
    case .query: query
    case .mutation: mutation
    case .subscription: subscription
    }
  }
}
