extension EncodingStorage {
  /// The text of all that was written.
  func output() -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(text.count + 4 * nodes.count)
    append(0, to: &output)
    return output
  }

  private func append(_ node: Int, to output: inout [UInt8]) {
    let value = nodes[node]
    switch value.kind {
    case .scalar:
      output.append(contentsOf: text[Int(value.first)..<Int(value.last)])
    case .array:
      output.append(UInt8(ascii: "["))
      var element = value.first
      while element >= 0 {
        append(Int(element), to: &output)
        element = nodes[Int(element)].next
        if element >= 0 { output.append(UInt8(ascii: ",")) }
      }
      output.append(UInt8(ascii: "]"))
    case .object:
      output.append(UInt8(ascii: "{"))
      if value.count == 1 {
        appendMember(Int(value.first), to: &output)
      } else {
        appendMembers(of: value, to: &output)
      }
      output.append(UInt8(ascii: "}"))
    case .empty:
      output.append(contentsOf: "{}".utf8)
    }
  }

  private func appendMember(_ node: Int, to output: inout [UInt8]) {
    let key = Int(nodes[node].keyStart) - 1..<Int(nodes[node].keyEnd) + 1
    output.append(contentsOf: text[key])
    output.append(UInt8(ascii: ":"))
    append(node, to: &output)
  }

  private func appendMembers(of object: Node, to output: inout [UInt8]) {
    var members: [Int] = []
    members.reserveCapacity(Int(object.count))
    var member = object.first
    while member >= 0 {
      members.append(Int(member))
      member = nodes[Int(member)].next
    }
    var sorted = members
    sort(&sorted)
    dropRepeated(&sorted)
    if !options.sortsKeys {
      let kept = sorted.count == members.count ? nil : Set(sorted)
      sorted = kept.map { kept in members.filter(kept.contains) } ?? members
    }
    for (place, member) in sorted.enumerated() {
      if place > 0 { output.append(UInt8(ascii: ",")) }
      appendMember(member, to: &output)
    }
  }

  /// Orders members by the bytes of their keys, and those of one key as they were written.
  private func sort(_ members: inout [Int]) {
    if members.count > 16 {
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
    return order < 0 || (order == 0 && one < other)
  }

  /// Less than, equal to or greater than 0, as the key of the first member is.
  private func compare(_ one: Int, _ other: Int) -> Int {
    if nodes[one].isKeyEscaped || nodes[other].isKeyEscaped {
      let (one, other) = (keyContent(one), keyContent(other))
      return one == other ? 0 : one.lexicographicallyPrecedes(other) ? -1 : 1
    }
    let (left, right) = (Int(nodes[one].keyStart), Int(nodes[other].keyStart))
    let (count, otherCount) = (Int(nodes[one].keyEnd) - left, Int(nodes[other].keyEnd) - right)
    for place in 0..<min(count, otherCount) where text[left + place] != text[right + place] {
      return text[left + place] < text[right + place] ? -1 : 1
    }
    return count - otherCount
  }

  /// Keeps the last of the members with one key.
  private func dropRepeated(_ sorted: inout [Int]) {
    var kept = 0
    for place in sorted.indices {
      if place + 1 < sorted.count, compare(sorted[place], sorted[place + 1]) == 0 { continue }
      sorted[kept] = sorted[place]
      kept += 1
    }
    sorted.removeLast(sorted.count - kept)
  }
}
