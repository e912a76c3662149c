// Proof for each `nodes.base[...]`: the node exists, because an encoder or a container refers to it.

extension EncodingState {
  /// Turns an object or an array that was written as text into a container. The keys and values
  /// stay where they are in the text.
  mutating func expand(_ node: Int) {
    let scalar = nodes[node]
    // Proof: the place was noted when the scalar was written. The bytes are copied.
    let bytes = Array(
      UnsafeBufferPointer(start: text.base + scalar.first, count: scalar.last - scalar.first))
    guard let json = try? JSON(parsing: bytes), json.kind == .object || json.kind == .array else {
      return
    }
    nodes.base[node].kind = json.kind == .object ? .object : .array
    (nodes.base[node].first, nodes.base[node].last) = (-1, -1)
    nodes.base[node].count = 0
    json.withTape { tape, index in
      for (position, child) in tape.children(of: index).enumerated() {
        var value = EncodingNode(parent: node)
        value.keyStart = position
        if json.kind == .object {
          let key = tape.key(tape.keyList(index), position)
          value.keyStart = scalar.first + key.offset
          value.keyCount = key.length
          value.isKeyEscaped = key.isIrregular
        }
        let cell = tape[child]
        let quote = cell.kind == .string ? 1 : 0
        value.kind = .scalar
        value.first = scalar.first + cell.offset - quote
        value.last = scalar.first + cell.offset + cell.length + quote
        _ = link(value, to: node, nodes[node].kind)
      }
    }
  }
}

// MARK: - Failures

extension EncodingState {
  /// Notes that a value could not be written, and removes what it has written.
  ///
  /// A failure that was noted for a value within it is kept if it is the same error, passed on; see
  /// `DecodingSession.note`. The nodes within a value follow its own.
  mutating func note(_ error: any Error, failureAt node: Int) {
    if failure.map({ $0.node < node || !isSame($0.error, error) }) ?? true {
      failure = (error, node, path(to: node))
    }
    while let last = attachments?.last, last.node >= node { attachments?.removeLast() }
    nodes.base[node].kind = .empty
    (nodes.base[node].first, nodes.base[node].last) = (-1, -1)
    nodes.base[node].count = 0
  }

  /// The path of the error that ended the encoding.
  var failurePath: [JSONPathKey] { failure?.path ?? [] }

  /// Removes a member or an element that could not be written.
  mutating func drop(_ node: Int) {
    nodes.base[node].kind = .dropped
    nodes.base[nodes[node].parent].count -= 1
  }
}
