/// What the encoders and containers of one value write into: a flat list of nodes, and the text of
/// keys and of values that are no containers.
///
/// `Encodable` has no end of a container, so members can only be sorted when all is written. The
/// state lies behind the object's header, which saves an allocation, and the run-time's checks of
/// exclusive access, which took a fifth of the time. A call stays on its thread, so this needs no
/// lock, and no access overlaps another one: none calls out while it lasts.
final class EncodingStorage: ManagedBuffer<EncodingState, UInt64> {
  /// For texts and nodes of small values; larger ones move to the heap.
  private static let textWords = 24
  private static let nodeWords = 8 * MemoryLayout<EncodingNode>.stride / 8

  static func make(_ options: JSONEncodeOptions) -> EncodingStorage {
    let storage = create(minimumCapacity: textWords + nodeWords) { buffer in
      buffer.withUnsafeMutablePointerToElements { words in
        // Proof: the two parts lie within the capacity, do not overlap, and live as long as the
        // state, which nobody copies. Both types are trivial, and words are aligned for them.
        let text = UnsafeMutableRawPointer(words)
          .bindMemory(to: UInt8.self, capacity: 8 * textWords)
        let nodes = UnsafeMutableRawPointer(words + textWords)
          .bindMemory(to: EncodingNode.self, capacity: 8)
        return EncodingState(
          options: options,
          text: Scratch(startingIn: UnsafeMutableBufferPointer(start: text, count: 8 * textWords)),
          nodes: Scratch(startingIn: UnsafeMutableBufferPointer(start: nodes, count: 8)))
      }
    }
    // Proof: `create` makes an instance of the class that it is called on.
    return unsafeDowncast(storage, to: EncodingStorage.self)
  }

  deinit {
    withUnsafeMutablePointerToHeader { state in
      state.pointee.text.release()
      state.pointee.nodes.release()
    }
  }

  /// Runs `body` with the state, which must not be touched otherwise meanwhile.
  @inline(__always)
  func withState<Result>(_ body: (inout EncodingState) -> Result) -> Result {
    withUnsafeMutablePointerToHeader { body(&$0.pointee) }
  }
}

/// A value: the root, a member or an element.
struct EncodingNode: BitwiseCopyable {
  /// Nodes are named by their index; -1 is none.
  var parent: Int
  var next = -1
  /// Where the key, without its quotes, is in the text.
  var keyStart = 0
  var keyCount = 0
  /// The first and the last child of a container, or where the value is in the text.
  var first = -1
  var last = -1
  var count = 0
  var kind = Kind.empty
  var isKeyEscaped = false

  enum Kind: UInt8 {
    case empty, scalar, array, object
  }
}

/// The state of an `EncodingStorage`.
struct EncodingState {
  let options: JSONEncodeOptions
  /// Keys and values as JSON.
  var text: Scratch<UInt8>
  var nodes: Scratch<EncodingNode>
  /// The innermost node whose `encode(to:)` has thrown.
  private(set) var failure: Int?
  /// A container that nests too deeply, begun where no error can be thrown.
  private(set) var tooDeep: Int?
  /// The attachments among the values; nil if they are not collected.
  var attachments: [(node: Int, value: any JSONAttachment)]?
  /// The container of the outermost object, if it is to be kept.
  var root: RootContainer?
  var keepsRoot = false

  init(options: JSONEncodeOptions, text: Scratch<UInt8>, nodes: Scratch<EncodingNode>) {
    self.options = options
    self.text = text
    self.nodes = nodes
    self.nodes.append(EncodingNode(parent: -1))
  }

  /// Forgets what was written, for another value.
  mutating func reset() {
    text.count = 0
    nodes.count = 0
    nodes.append(EncodingNode(parent: -1))
    failure = nil
    tooDeep = nil
  }

  /// Whether it takes so little room that it may be kept for another value.
  var isSmall: Bool { text.capacity <= 2048 && nodes.capacity <= 64 }

  /// Turns a node into a container, if nothing else was written to it.
  mutating func begin(_ node: Int, _ kind: EncodingNode.Kind, depth: Int) {
    if depth > JSONParseOptions.deepest, tooDeep == nil { tooDeep = node }
    if nodes[node].kind == .empty { nodes.base[node].kind = kind }
  }

  /// Adds an element at the end of an array.
  mutating func addElement(to array: Int) -> Int {
    link(EncodingNode(parent: array), to: array)
  }

  /// Adds a member at the end of an object. If there is one with that key, the last one counts.
  mutating func addMember(_ key: String, to object: Int) -> Int {
    let start = text.count
    var node = EncodingNode(parent: object)
    JSONText.append(key, to: &text)
    node.keyStart = start + 1
    node.keyCount = text.count - start - 2
    node.isKeyEscaped = node.keyCount != key.utf8.count
    return link(node, to: object)
  }

  private mutating func link(_ node: EncodingNode, to parent: Int) -> Int {
    let index = nodes.count
    nodes.append(node)
    let last = nodes[parent].last
    if last >= 0 {
      nodes.base[last].next = index
    } else {
      nodes.base[parent].first = index
    }
    nodes.base[parent].last = index
    nodes.base[parent].count += 1
    return index
  }

  /// Writes a value that is no container. What was written before to the node is dropped.
  @inline(__always)
  mutating func write(_ node: Int, _ append: (inout Scratch<UInt8>) -> Void) {
    let start = text.count
    append(&text)
    nodes.base[node].kind = .scalar
    nodes.base[node].first = start
    nodes.base[node].last = text.count
  }

  mutating func note(failureAt node: Int) {
    if failure == nil { failure = node }
  }
}

extension EncodingState {
  /// The way from the root to a node.
  func path(to node: Int) -> [JSONPathKey] {
    var path: [JSONPathKey] = []
    var node = node
    while nodes[node].parent >= 0 {
      let parent = nodes[node].parent
      path.append(
        nodes[parent].kind == .object
          ? JSONPathKey(String(decoding: keyContent(node), as: UTF8.self))
          : JSONPathKey(position(of: node, in: parent)))
      node = parent
    }
    return path.reversed()
  }

  private func position(of node: Int, in array: Int) -> Int {
    var position = 0
    var index = nodes[array].first
    while index != node, index >= 0 {
      index = nodes[index].next
      position += 1
    }
    return position
  }

  /// A key as it is written, without its quotes.
  @inline(__always)
  func keyText(_ node: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(
      start: text.base + nodes[node].keyStart, count: nodes[node].keyCount)
  }

  /// The content of a key.
  func keyContent(_ node: Int) -> [UInt8] {
    let key = keyText(node)
    guard nodes[node].isKeyEscaped else { return Array(key) }
    return [UInt8](unsafeUninitializedCapacity: key.count) { $1 = JSONEscape.decode(key, into: $0) }
  }
}
