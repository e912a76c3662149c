import WeirSupport

/// The key lists of the document that is being parsed.
///
/// A list is a word, and then a string cell for each key. The word holds the number of keys, and
/// the list that an object had when this one was guessed wrongly. List 0 has no keys.
///
/// Proof for all buffers here: key cells are parts of the text that is being parsed.
struct KeyListTable {
  var words: Scratch<UInt64>

  /// For each key: the key list of the last object that was its value or within its value.
  private var childLists: Scratch<UInt32>

  /// The lists by the hash of their keys. It leaves out the first few: most documents have no more,
  /// and a few duplicates do no harm.
  private var known: [UInt64: UInt32] = [:]
  private var count = 0
  private static let few = 16
  /// A secret of the process: nobody who sends JSON can choose keys that collide.
  private static let seed = UInt64.random(in: .min ... .max)

  init(words: Scratch<UInt64>, childLists: Scratch<UInt32>) {
    self.words = words
    self.childLists = childLists
    append(0, childList: 0)
  }

  func release() {
    words.release()
    childLists.release()
  }

  func count(_ list: UInt32) -> UInt32 {
    UInt32(truncatingIfNeeded: words[Int(list)])
  }

  func key(_ list: UInt32, _ position: UInt32) -> JSONCell {
    JSONCell(bits: words[Int(list) + 1 + Int(position)])
  }

  func childList(_ list: UInt32, _ position: UInt32) -> UInt32 {
    childLists[Int(list) + 1 + Int(position)]
  }

  func setChildList(_ list: UInt32, _ position: UInt32, to child: UInt32) {
    childLists[Int(list) + 1 + Int(position)] = child
  }

  private mutating func append(_ word: UInt64, childList: UInt32) {
    words.append(word)
    childLists.append(childList)
  }
}

extension KeyListTable {
  private func successor(_ list: UInt32) -> UInt32 {
    UInt32(truncatingIfNeeded: words[Int(list)] >> 32)
  }

  /// Stores that an object had `list` when `guess` was guessed.
  func note(_ list: UInt32, after guess: UInt32) {
    guard list != guess else { return }
    words[Int(guess)] = UInt64(count(guess)) | UInt64(list) << 32
  }

  /// Returns a list that begins with the keys that the object has so far, and continues with
  /// `nextKey`, or ends if that is nil.
  ///
  /// Examines at most four lists, each of which once replaced the one before it as a guess, and at
  /// most 64 keys of each, so that no text can make this slow.
  func alternative(
    to frame: JSONParser.Frame, nextKey: JSONCell?, text: UnsafePointer<UInt8>
  ) -> UInt32? {
    var list = frame.list
    guard frame.count <= 64 else { return nil }
    for _ in 0..<4 {
      list = successor(list)
      if list == 0 || list == frame.list { return nil }
      if let nextKey {
        guard count(list) > frame.count, sameKey(key(list, frame.count), nextKey, text) else {
          continue
        }
      } else if count(list) != frame.count {
        continue
      }
      if (0..<frame.count).allSatisfy({ sameKey(key(list, $0), key(frame.list, $0), text) }) {
        note(list, after: frame.list)
        return list
      }
    }
    return nil
  }

  /// Returns whether two keys are spelled the same.
  private func sameKey(_ one: JSONCell, _ other: JSONCell, _ text: UnsafePointer<UInt8>) -> Bool {
    one.length == other.length
      && (one.offset == other.offset
        || bytesAreEqual(
          UnsafeBufferPointer(start: text + one.offset, count: one.length),
          UnsafeBufferPointer(start: text + other.offset, count: other.length)))
  }

  /// Adds a list unless there is one with these keys in this order, and returns it.
  mutating func insert(
    _ keys: UnsafeBufferPointer<JSONParser.PendingKey>, text: UnsafePointer<UInt8>
  ) -> UInt32 {
    count += 1
    guard count > Self.few else { return append(keys) }
    var hash = StableHash(seed: Self.seed)
    for key in keys {
      let cell = JSONCell(bits: key.cell)
      let bytes = UnsafeBufferPointer(start: text + cell.offset, count: cell.length)
      hash.combine(Span(_unsafeElements: bytes))
    }
    if let list = known[hash.value], has(keys, in: list, text) {
      for (position, key) in keys.enumerated() {
        setChildList(list, UInt32(truncatingIfNeeded: position), to: key.childList)
      }
      return list
    }
    let list = append(keys)
    known[hash.value] = list
    return list
  }

  private func has(
    _ keys: UnsafeBufferPointer<JSONParser.PendingKey>, in list: UInt32,
    _ text: UnsafePointer<UInt8>
  ) -> Bool {
    keys.count == count(list)
      && keys.indices.allSatisfy {
        let position = UInt32(truncatingIfNeeded: $0)
        return sameKey(JSONCell(bits: keys[$0].cell), key(list, position), text)
      }
  }

  private mutating func append(_ keys: UnsafeBufferPointer<JSONParser.PendingKey>) -> UInt32 {
    let list = UInt32(truncatingIfNeeded: words.count)
    append(UInt64(keys.count), childList: 0)
    for key in keys { append(key.cell, childList: key.childList) }
    return list
  }
}
