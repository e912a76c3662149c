/// The storage that the encoders and containers of one value write into: a flat list of nodes, and
/// the text of keys and scalars.
///
/// `Encodable` does not announce the end of a container, so members can be sorted only when
/// everything is written. The state lies in the buffer's header, which saves an allocation, and the
/// runtime's checks of exclusive access, which took a fifth of the time. An encoding stays on its
/// thread, so it needs no lock.
final class EncodingStorage: ManagedBuffer<EncodingState, UInt64> {
  // Room for the texts and nodes of small values; larger ones move to the heap.
  private static let textWords = 24
  private static let nodeWords = 8 * MemoryLayout<EncodingNode>.stride / 8

  static func make(_ options: JSONEncodeOptions) -> EncodingStorage {
    let storage = create(minimumCapacity: textWords + nodeWords) { buffer in
      buffer.withUnsafeMutablePointerToElements { words in
        // Proof: the two parts lie within the capacity, do not overlap, and live as long as the
        // state, which is never copied. Both types are trivial, and words are aligned for them.
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
    // Proof: `create` creates an instance of the class that it is called on.
    return unsafeDowncast(storage, to: EncodingStorage.self)
  }

  deinit {
    withUnsafeMutablePointerToHeader { state in
      state.pointee.text.release()
      state.pointee.nodes.release()
    }
  }

  /// Runs `body` with the state.
  ///
  /// Proof of exclusive access: `body` must not use the storage in another way; no closure that is
  /// passed here calls other code that could.
  func withState<Result>(_ body: (inout EncodingState) -> Result) -> Result {
    withUnsafeMutablePointerToHeader { body(&$0.pointee) }
  }
}

/// One value: the root, a member or an element.
struct EncodingNode: BitwiseCopyable {
  // Indices of nodes; -1 means none.
  var parent: Int
  var next = -1
  /// The place in the text of a member's key without its quotes, or the position of an element.
  var keyStart = 0
  var keyCount = 0
  /// The first and the last child of a container, or the start and the end of a scalar in the text.
  var first = -1
  var last = -1
  var count = 0
  var kind = Kind.empty
  var isKeyEscaped = false
  /// Whether it is a container that was asked for by its key, not a value.
  var isNested = false

  enum Kind: UInt8 {
    /// A scalar may also be an array or an object, as text.
    case empty, scalar, array, object
    /// A member or an element that could not be written.
    case dropped
  }
}

/// The state of an `EncodingStorage`.
struct EncodingState {
  let options: JSONEncodeOptions
  /// Keys and values as JSON.
  var text: Scratch<UInt8>
  var nodes: Scratch<EncodingNode>
  /// How deeply the root itself nests in the text that it becomes a part of.
  var outerDepth = 0
  /// The error that an `encode(to:)` threw last, and the innermost node whose it was.
  var failure: (error: any Error, node: Int, path: [JSONPathKey])?
  /// Why the text cannot be used; noted because creating a container cannot throw.
  private(set) var refusal: JSONEncodingError?
  /// The attachments among the values; nil if they are not collected.
  var attachments: [(node: Int, value: any JSONAttachment)]?
  /// The container of the root object if it is kept for the next encoding.
  var root: RootContainer?
  var keepsRoot = false

  init(options: JSONEncodeOptions, text: Scratch<UInt8>, nodes: Scratch<EncodingNode>) {
    self.options = options
    self.text = text
    self.nodes = nodes
    self.nodes.append(EncodingNode(parent: -1))
  }

  /// Removes everything that was written, to write another value.
  mutating func reset() {
    text.count = 0
    nodes.count = 0
    nodes.append(EncodingNode(parent: -1))
    outerDepth = 0
    failure = nil
    refusal = nil
  }

  /// Whether the buffers are small enough to be kept for another value.
  var isSmall: Bool { text.capacity <= 2048 && nodes.capacity <= 64 }

  /// Turns a node into a container. If it has members or elements already, others follow them.
  mutating func begin(_ node: Int, _ kind: EncodingNode.Kind, depth: Int) {
    if depth > JSONParseOptions.deepest { refuse(.tooDeep, at: node) }
    if nodes[node].kind == .scalar { expand(node) }
    if nodes[node].kind == .empty { nodes.base[node].kind = kind }
    if nodes[node].kind != kind { refuse(.invalidValue, at: node) }
  }

  private mutating func refuse(_ reason: JSONEncodingError.Reason, at node: Int) {
    if refusal == nil { refusal = JSONEncodingError(reason: reason, path: path(to: node)) }
  }

  /// Adds an element at the end of an array.
  mutating func addElement(to array: Int) -> Int {
    var node = EncodingNode(parent: array)
    node.keyStart = nodes[array].count
    return link(node, to: array, .array)
  }

  /// Adds a member at the end of an object. A later member with the same key replaces an earlier
  /// one.
  mutating func addMember(_ key: String, to object: Int) -> Int {
    let start = text.count
    var node = EncodingNode(parent: object)
    JSONText.append(key, to: &text)
    node.keyStart = start + 1
    node.keyCount = text.count - start - 2
    node.isKeyEscaped = node.keyCount != key.utf8.count
    return link(node, to: object, .object)
  }

  /// Adds a child to a container of a kind.
  mutating func link(
    _ node: EncodingNode, to parent: Int, _ kind: EncodingNode.Kind
  ) -> Int {
    let index = nodes.count
    nodes.append(node)
    // What has failed is not written. Anything else has replaced the container, and its places may be those
    // of text, not of nodes.
    guard nodes[parent].kind == kind else {
      if nodes[parent].kind != .dropped { refuse(.invalidValue, at: parent) }
      return index
    }
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

  /// Writes a scalar, in place of what was written to the node before.
  mutating func write(_ node: Int, _ append: (inout Scratch<UInt8>) -> Void) {
    if attachments?.isEmpty == false { attachments?.removeAll { $0.node == node } }
    let start = text.count
    append(&text)
    nodes.base[node].kind = .scalar
    nodes.base[node].first = start
    nodes.base[node].last = text.count
  }
}

extension EncodingState {
  /// Returns the path from the root to a node.
  func path(to node: Int) -> [JSONPathKey] {
    var path: [JSONPathKey] = []
    var node = node
    while nodes[node].parent >= 0 {
      let parent = nodes[node].parent
      path.append(
        nodes[parent].kind == .object
          ? JSONPathKey(String(decoding: keyContent(node), as: UTF8.self))
          : JSONPathKey(nodes[node].keyStart))
      node = parent
    }
    return path.reversed()
  }

  /// A key as it is written, without its quotes.
  ///
  /// Proof of validity: the place was noted when the key was written; the buffer is used before
  /// more text is written.
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
