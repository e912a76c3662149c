extension JSONTape {
  /// Returns a string or a key as a `String`.
  @inline(__always)
  package func string(_ cell: JSONCell) -> String {
    cell.isMarked ? unescaped(cell) : String(utf8: text(cell))
  }

  /// Returns the content of a string; nil for other values.
  @usableFromInline
  package func stringValue(_ cell: JSONCell) -> String? {
    cell.kind == .string ? string(cell) : nil
  }

  /// Returns whether a string or a key has this content, however it is escaped.
  @inline(__always)
  package func matches(_ cell: JSONCell, _ content: UnsafeBufferPointer<UInt8>) -> Bool {
    if cell.isMarked { return unescaped(cell).utf8.elementsEqual(content) }
    return cell.length == content.count && bytesAreEqual(text(cell), content)
  }

  /// Returns whether two strings or keys have the same content.
  package func matches(_ cell: JSONCell, _ other: JSONCell, in tape: JSONTape) -> Bool {
    other.isMarked
      ? string(cell).utf8.elementsEqual(tape.unescaped(other).utf8)
      : matches(cell, tape.text(other))
  }

  /// Returns the position of a key in a key list, or nil. Compares the keys from `start` to the
  /// end, and then those before `start`.
  package func position(
    of key: UnsafeBufferPointer<UInt8>, in list: Int, startingAt start: Int = 0
  ) -> Int? {
    let count = keyCount(list)
    for position in min(start, count)..<count where matches(self.key(list, position), key) {
      return position
    }
    for position in 0..<min(start, count) where matches(self.key(list, position), key) {
      return position
    }
    return nil
  }

  /// Returns the value of a member; nil if there is none of that name or the value is not an
  /// object.
  package func member(_ key: UnsafeBufferPointer<UInt8>, of object: Int) -> Int? {
    guard self[object].kind == .object,
      let position = position(of: key, in: keyList(object))
    else { return nil }
    return value(object, at: position)
  }

  /// Returns the path from a value to one within it. It is found by a search, so that no caller
  /// need track it.
  package func path<Step>(
    from root: Int, to target: Int, key: (String) -> Step, index: (Int) -> Step
  ) -> [Step] {
    var path: [Step] = []
    var container = root
    while container < target, self[container].isContainer, target < next(container) {
      var child = firstChild(container)
      var position = 0
      while next(child) <= target {
        child = next(child)
        position += 1
      }
      path.append(
        self[container].kind == .object
          ? key(string(self.key(keyList(container), position))) : index(position))
      container = child
    }
    return path
  }

  /// Returns the content of a string that has escapes.
  @inline(never)
  private func unescaped(_ cell: JSONCell) -> String {
    String(unsafeUninitializedCapacity: cell.length) { JSONEscape.decode(text(cell), into: $0) }
  }
}

/// Returns whether two slices of the same length are equal.
@inline(__always)
func bytesAreEqual(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool
{
  let count = left.count
  guard let left = UnsafeRawPointer(left.baseAddress),
    let right = UnsafeRawPointer(right.baseAddress)
  else { return true }
  // Proof: both slices are `count` bytes long, and each load ends at or before `count`.
  if count >= 8 {
    var at = 0
    while at + 8 <= count {
      if left.loadUnaligned(fromByteOffset: at, as: UInt64.self)
        != right.loadUnaligned(fromByteOffset: at, as: UInt64.self)
      {
        return false
      }
      at += 8
    }
    return left.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
      == right.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
  }
  if count >= 4 {
    return left.loadUnaligned(as: UInt32.self) == right.loadUnaligned(as: UInt32.self)
      && left.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
        == right.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
  }
  if count >= 2 {
    return left.loadUnaligned(as: UInt16.self) == right.loadUnaligned(as: UInt16.self)
      && left.load(fromByteOffset: count - 1, as: UInt8.self)
        == right.load(fromByteOffset: count - 1, as: UInt8.self)
  }
  return count == 0 || left.load(as: UInt8.self) == right.load(as: UInt8.self)
}

extension String {
  /// Creates a string of bytes that are known to be UTF-8.
  ///
  /// Up to eight bytes are written into the string as one word: the processor would have to wait
  /// for bytes that are written one by one and then read as a word.
  @inline(__always)
  fileprivate init(utf8 text: UnsafeBufferPointer<UInt8>) {
    if text.count <= 8 {
      let word = text.word
      self.init(unsafeUninitializedCapacity: 8) {
        UnsafeMutableRawBufferPointer($0).storeBytes(of: word.littleEndian, as: UInt64.self)
        return text.count
      }
    } else {
      self.init(decoding: text, as: UTF8.self)
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Up to eight bytes as one word, the first byte lowest.
  @inline(__always)
  fileprivate var word: UInt64 {
    guard let start = UnsafeRawPointer(baseAddress), count > 0 else { return 0 }
    // Proof: both loads are within the bytes; where they overlap, they load the same bytes.
    if count >= 4 {
      let first = UInt64(start.loadUnaligned(as: UInt32.self).littleEndian)
      let last = UInt64(
        start.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self).littleEndian)
      return first | last << UInt64(truncatingIfNeeded: (count - 4) * 8)
    }
    let first = UInt64(self[0])
    let middle = UInt64(self[count / 2]) << UInt64(truncatingIfNeeded: count / 2 * 8)
    let last = UInt64(self[count - 1]) << UInt64(truncatingIfNeeded: (count - 1) * 8)
    return first | middle | last
  }
}
