/// What the encoders and containers of one value write into: a flat list of nodes, and the text of
/// keys and of values that are no containers.
///
/// `Encodable` has no end of a container, so members can only be sorted when all is written. A call
/// stays on its thread, so this needs no lock.
final class EncodingStorage {
  /// Keys and values as JSON.
  var text: [UInt8] = []
  private(set) var nodes: [Node] = []
  let options: JSONEncodeOptions

  /// The innermost node whose `encode(to:)` has thrown.
  private(set) var failure: Int?

  /// A container that nests too deeply, begun where no error can be thrown.
  private(set) var tooDeep: Int?

  init(_ options: JSONEncodeOptions) {
    self.options = options
    text.reserveCapacity(96)
    nodes.reserveCapacity(4)
    nodes.append(Node(parent: -1))
  }

  /// A value: the root, a member or an element.
  struct Node {
    /// Nodes are named by their index; -1 is none.
    var parent: Int32
    var next: Int32 = -1
    /// Where the key, without its quotes, is in `text`.
    var keyStart: UInt32 = 0
    var keyEnd: UInt32 = 0
    /// The first and the last child of a container, or where the value is in `text`.
    var first: Int32 = -1
    var last: Int32 = -1
    var count: Int32 = 0
    var kind = Kind.empty
    var isKeyEscaped = false
  }

  enum Kind: UInt8 {
    case empty, scalar, array, object
  }

  /// Turns a node into a container, if nothing else was written to it.
  func begin(_ node: Int, _ kind: Kind, depth: Int) {
    if depth > JSONParseOptions.deepest, tooDeep == nil { tooDeep = node }
    if nodes[node].kind == .empty { nodes[node].kind = kind }
  }

  /// Adds an element at the end of an array.
  func addElement(to array: Int) -> Int {
    link(Node(parent: Int32(truncatingIfNeeded: array)), to: array)
  }

  /// Adds a member at the end of an object. If there is one with that key, the last one counts.
  func addMember(_ key: String, to object: Int) -> Int {
    let start = text.count
    var node = Node(parent: Int32(truncatingIfNeeded: object))
    JSONText.append(key, to: &text)
    node.keyStart = UInt32(truncatingIfNeeded: start + 1)
    node.keyEnd = UInt32(truncatingIfNeeded: text.count - 1)
    node.isKeyEscaped = text.count - start - 2 != key.utf8.count
    return link(node, to: object)
  }

  private func link(_ node: Node, to parent: Int) -> Int {
    let index = nodes.count
    nodes.append(node)
    let place = Int32(truncatingIfNeeded: index)
    if nodes[parent].last >= 0 {
      nodes[Int(nodes[parent].last)].next = place
    } else {
      nodes[parent].first = place
    }
    nodes[parent].last = place
    nodes[parent].count += 1
    return index
  }

  /// Writes a value that is no container. What was written before to the node is dropped.
  @inline(__always)
  func write(_ node: Int, _ append: (inout [UInt8]) -> Void) {
    let start = text.count
    append(&text)
    nodes[node].kind = .scalar
    nodes[node].first = Int32(truncatingIfNeeded: start)
    nodes[node].last = Int32(truncatingIfNeeded: text.count)
  }

  func note(failureAt node: Int) {
    if failure == nil { failure = node }
  }

  /// The way from the root to a node.
  func path(to node: Int) -> [JSONPathKey] {
    var path: [JSONPathKey] = []
    var node = node
    while nodes[node].parent >= 0 {
      let parent = Int(nodes[node].parent)
      path.append(nodes[parent].kind == .object ? key(of: node) : position(of: node, in: parent))
      node = parent
    }
    return path.reversed()
  }

  private func key(of node: Int) -> JSONPathKey {
    JSONPathKey(String(decoding: keyContent(node), as: UTF8.self))
  }

  private func position(of node: Int, in array: Int) -> JSONPathKey {
    var position = 0
    var index = Int(nodes[array].first)
    while index != node, index >= 0 {
      index = Int(nodes[index].next)
      position += 1
    }
    return JSONPathKey(position)
  }

  /// The content of a key.
  func keyContent(_ node: Int) -> [UInt8] {
    let slice = text[Int(nodes[node].keyStart)..<Int(nodes[node].keyEnd)]
    guard nodes[node].isKeyEscaped else { return Array(slice) }
    return slice.withUnsafeBufferPointer { slice in
      [UInt8](unsafeUninitializedCapacity: slice.count) {
        $1 = JSONEscape.decode(slice, into: $0)
      }
    }
  }
}
