import Foundation

#if canImport(Android)
  import Android
#endif

extension JSONTape {
  /// Returns a string or a key as a `String`.
  package func string(_ cell: JSONCell) -> String {
    cell.isIrregular ? unescaped(cell) : String(decoding: text(cell), as: UTF8.self)
  }

  /// Returns the content of a string; nil for other values.
  @usableFromInline
  package func stringValue(_ cell: JSONCell) -> String? {
    cell.kind == .string ? string(cell) : nil
  }

  /// Returns whether a string or a key has this content, however it is escaped.
  package func matches(_ cell: JSONCell, _ content: UnsafeBufferPointer<UInt8>) -> Bool {
    if cell.isIrregular { return JSONEscape.matches(text(cell), content) }
    return cell.length == content.count && bytesAreEqual(text(cell), content)
  }

  /// Returns whether two strings or keys have the same content.
  func matches(_ cell: JSONCell, _ other: JSONCell, in tape: JSONTape) -> Bool {
    other.isIrregular
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
  package func member(_ key: UnsafeBufferPointer<UInt8>, of object: TapeIndex) -> TapeIndex? {
    guard self[object].kind == .object,
      let position = position(of: key, in: keyList(object))
    else { return nil }
    return value(object, at: position)
  }

  /// Returns the path from a value to one within it. It is found by a search, so that no caller
  /// need track it. The searches of one trail begin at the same value.
  package func path<Step>(
    from root: TapeIndex, to target: TapeIndex, on trail: inout PathTrail, key: (String) -> Step,
    index: (Int) -> Step
  ) -> [Step] {
    var path: [Step] = []
    var container = root
    while container < target, self[container].isContainer, target < next(container) {
      let (child, position) = trail.child(
        of: container, depth: path.count, towards: target, self)
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
///
/// Keys are short, and nearly all decoding compares keys, so slices of up to 16 bytes are compared as two
/// words, which may overlap.
///
/// Proof, as for every buffer that is passed to the functions here: it is valid during the call, and
/// nothing keeps it. All reads lie within the slices: the first word begins with them, and the last one
/// ends with them.
@inline(__always)
func bytesAreEqual(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool
{
  guard let one = left.baseAddress, let other = right.baseAddress else { return true }
  let count = left.count
  switch count {
  case 8...16: return endsAreEqual(one, other, count, UInt64.self)
  case 4...7: return endsAreEqual(one, other, count, UInt32.self)
  case 2...3: return endsAreEqual(one, other, count, UInt16.self)
  default: return memcmp(one, other, count) == 0
  }
}

/// Returns whether the first words of two slices are equal, and the last ones.
@inline(__always)
private func endsAreEqual<Word: FixedWidthInteger & BitwiseCopyable>(
  _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ count: Int, _: Word.Type
) -> Bool {
  let last = count - MemoryLayout<Word>.size
  return left.loadUnaligned(as: Word.self) == right.loadUnaligned(as: Word.self)
    && left.loadUnaligned(fromByteOffset: last, as: Word.self)
      == right.loadUnaligned(fromByteOffset: last, as: Word.self)
}
