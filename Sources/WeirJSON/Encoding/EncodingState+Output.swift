import WeirSupport

extension EncodingState {
  /// Returns the JSON text of the root.
  mutating func output() -> CompactBytes {
    // A node takes its key and text, each written at most once, and at most two brackets, a colon
    // and a comma. Creating an array from a buffer is faster than filling one.
    withUnsafeTemporaryAllocation(
      of: UInt8.self, capacity: text.count + 4 * nodes.count
    ) { buffer in
      var output = Scratch(startingIn: buffer)
      // The new nodes of values that are united with others may need more room, on the heap.
      defer { output.release() }
      append(0, to: &output)
      // Proof: the output has `count` bytes, and lives until the call returns.
      return CompactBytes(UnsafeBufferPointer(start: output.base, count: output.count))
    }
  }

  private mutating func append(_ node: Int, to output: inout Scratch<UInt8>) {
    let value = nodes[node]
    switch value.kind {
    case .scalar:
      output.append(
        contentsOf: UnsafeBufferPointer(
          start: text.base + value.first, count: value.last - value.first))
    case .array:
      output.append(UInt8(ascii: "["))
      var element = value.first
      var isFirst = true
      while element >= 0 {
        if nodes[element].kind != .dropped {
          if !isFirst { output.append(UInt8(ascii: ",")) }
          isFirst = false
          append(element, to: &output)
        }
        element = nodes[element].next
      }
      output.append(UInt8(ascii: "]"))
    case .object:
      output.append(UInt8(ascii: "{"))
      appendMembers(of: value, to: &output)
      output.append(UInt8(ascii: "}"))
    case .empty, .dropped:
      JSONText.append(ascii: "{}", to: &output)
    }
  }

  private mutating func appendMember(_ node: Int, to output: inout Scratch<UInt8>) {
    let key = keyText(node)
    // Proof: the key's quotes are around it in the text.
    output.append(
      contentsOf: UnsafeBufferPointer(
        start: text.base + nodes[node].keyStart - 1, count: key.count + 2))
    output.append(UInt8(ascii: ":"))
    append(node, to: &output)
  }

  /// Proof: the members are counted first, so the buffer has a place for each; the parts are within it.
  private mutating func appendMembers(of object: EncodingNode, to output: inout Scratch<UInt8>) {
    var (most, next) = (0, object.first)
    while next >= 0 {
      most += 1
      next = nodes[next].next
    }
    withUnsafeTemporaryAllocation(of: Int.self, capacity: max(1, most)) { members in
      var member = object.first
      var count = 0
      while member >= 0 {
        if nodes[member].kind != .dropped {
          members[count] = member
          count += 1
        }
        member = nodes[member].next
      }
      var kept = UnsafeMutableBufferPointer(rebasing: members[..<count])
      sort(kept)
      kept = dropRepeated(kept)
      if !options.sortsKeys { kept.sort { isWritten($0, before: $1) } }
      for place in kept.indices {
        if place > 0 { output.append(UInt8(ascii: ",")) }
        appendMember(kept[place], to: &output)
      }
    }
  }

  /// Sorts members by the bytes of their keys, and members with the same key in the order of
  /// writing.
  private func sort(_ members: UnsafeMutableBufferPointer<Int>) {
    if members.count > 16 {
      var members = members
      members.sort { precedes($0, $1) }
      return
    }
    for end in members.indices.dropFirst() {
      let member = members[end]
      var place = end
      while place > 0, precedes(member, members[place - 1]) {
        members[place] = members[place - 1]
        place -= 1
      }
      members[place] = member
    }
  }

  private func precedes(_ one: Int, _ other: Int) -> Bool {
    let order = compare(one, other)
    return order < 0 || (order == 0 && isWritten(one, before: other))
  }

  /// Whether one key was written before another one.
  private func isWritten(_ one: Int, before other: Int) -> Bool {
    nodes[one].keyStart < nodes[other].keyStart
  }

  /// Returns a number less than, equal to or greater than 0, as the first key is to the second.
  private func compare(_ one: Int, _ other: Int) -> Int {
    if nodes[one].isKeyEscaped || nodes[other].isKeyEscaped {
      let (one, other) = (keyContent(one), keyContent(other))
      return one == other ? 0 : one.lexicographicallyPrecedes(other) ? -1 : 1
    }
    let (left, right) = (keyText(one), keyText(other))
    for place in 0..<min(left.count, right.count) where left[place] != right[place] {
      return left[place] < right[place] ? -1 : 1
    }
    return left.count - right.count
  }

  /// Keeps only the last of several members with the same key. A nested container continues a
  /// container or a value of the same kind.
  private mutating func dropRepeated(
    _ sorted: UnsafeMutableBufferPointer<Int>
  ) -> UnsafeMutableBufferPointer<Int> {
    var kept = 0
    // The first of the members that the one in place continues.
    var first = 0
    for place in sorted.indices {
      let isRepeated =
        place + 1 < sorted.count && compare(sorted[place], sorted[place + 1]) == 0
      if isRepeated, unite(sorted[place], with: sorted[place + 1]) { continue }
      if isRepeated {
        // Proof: the nodes are members.
        for replaced in sorted[first...place] { nodes.base[replaced].kind = .dropped }
      } else {
        sorted[kept] = sorted[place]
        kept += 1
      }
      first = place + 1
    }
    return UnsafeMutableBufferPointer(rebasing: sorted[..<kept])
  }

  /// Puts the children of a value before those of a later nested container with the same key. False if
  /// that replaces the value instead.
  private mutating func unite(_ one: Int, with later: Int) -> Bool {
    guard nodes[later].isNested else { return false }
    if nodes[one].kind == .scalar { expand(one) }
    let (former, latter) = (nodes[one], nodes[later])
    guard former.kind == latter.kind, former.last >= 0 else { return false }
    if latter.kind == .array { moveElements(of: latter, by: former.count) }
    // Proof: both nodes exist, and so does the last child of one that has children.
    nodes.base[former.last].next = latter.first
    nodes.base[later].first = former.first
    if latter.last < 0 { nodes.base[later].last = former.last }
    nodes.base[later].count += former.count
    return true
  }

  /// Whether the text that ``output()`` has written contains a node: no later value has replaced it, or
  /// a container around it.
  func isPartOfText(_ node: Int) -> Bool {
    let (kind, parent) = (nodes[node].kind, nodes[node].parent)
    guard kind != .dropped, parent >= 0 else { return kind != .dropped }
    return [.array, .object].contains(nodes[parent].kind) && isPartOfText(parent)
  }

  private func moveElements(of array: EncodingNode, by count: Int) {
    var element = array.first
    while element >= 0 {
      nodes.base[element].keyStart += count
      element = nodes[element].next
    }
  }
}
