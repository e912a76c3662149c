extension JSONParser {
  /// Reads a key and its colon, up to the member's value.
  @inline(__always)
  mutating func key(_ frame: inout Frame) throws(JSONError) {
    guard at < end else { throw JSONError(.unexpectedEnd, offset: at) }
    guard text[at] == UInt8(ascii: "\"") else {
      throw JSONError(.unexpectedCharacter, offset: at)
    }
    at += 1
    if frame.pendingStart == Frame.isGuessed, frame.count < lists.count(frame.list) {
      let guess = lists.key(frame.list, frame.count)
      if sameText(at, guess.offset, count: guess.length + 1) {
        at += guess.length + 1
        frame.count += 1
        return try colon()
      }
    }
    try unguessedKey(&frame)
    try colon()
  }

  @inline(__always)
  private mutating func colon() throws(JSONError) {
    if at < end, text[at] == UInt8(ascii: ":") {
      at += 1
    } else {
      skipSpace()
      guard at < end else { throw JSONError(.unexpectedEnd, offset: at) }
      guard text[at] == UInt8(ascii: ":") else {
        throw JSONError(.unexpectedCharacter, offset: at)
      }
      at += 1
    }
    skipSpace()
  }

  /// Returns whether the text at `index` repeats the `count` bytes at `earlier`.
  @inline(__always)
  private func sameText(_ index: Int, _ earlier: Int, count: Int) -> Bool {
    // Proof: the last load begins at most `count` bytes after `index`, so all end at or before
    // `end`, and `earlier < index`, so loads at `earlier` do, too.
    guard index + count + 8 <= end else {
      guard index + count <= end else { return false }
      return (0..<count).allSatisfy { text[index + $0] == text[earlier + $0] }
    }
    var done = 0
    while done + 8 <= count {
      if load(index + done) != load(earlier + done) { return false }
      done += 8
    }
    let rest = UInt64(truncatingIfNeeded: count - done) << 3
    return (load(index + done) ^ load(earlier + done)) & ~(UInt64.max << rest) == 0
  }

  /// Reads a key that is not the expected one.
  @inline(never)
  private mutating func unguessedKey(_ frame: inout Frame) throws(JSONError) {
    let start = at
    let isIrregular = try skipString()
    let key = JSONCell(.string, isIrregular: isIrregular, offset: start, length: at - 1 - start)
    if frame.pendingStart == Frame.isGuessed {
      if let list = lists.alternative(to: frame, nextKey: key, text: text) {
        frame.list = list
        frame.count += 1
        return
      }
      beginPending(&frame)
    }
    pending.append(PendingKey(cell: key.bits, childList: 0))
    frame.count += 1
  }

  /// Begins a list of the object's own keys with those that were guessed correctly.
  private mutating func beginPending(_ frame: inout Frame) {
    frame.pendingStart = UInt32(truncatingIfNeeded: pending.count)
    for position in 0..<frame.count {
      pending.append(
        PendingKey(
          cell: lists.key(frame.list, position).bits,
          childList: lists.childList(frame.list, position)))
    }
  }

  /// Finds or creates the key list of an object for which the guess was wrong.
  @inline(never)
  mutating func endMissedGuess(_ frame: inout Frame) {
    let guess = frame.list
    if frame.count == 0 {
      frame.list = 0
      return
    }
    if frame.pendingStart == Frame.isGuessed {
      if let list = lists.alternative(to: frame, nextKey: nil, text: text) {
        frame.list = list
        return
      }
      beginPending(&frame)
    }
    let start = Int(frame.pendingStart)
    dropRepeatedKeys(&frame)
    let keys = UnsafeBufferPointer(start: pending.base + start, count: Int(frame.count))
    frame.list = lists.insert(keys, text: text)
    lists.note(frame.list, after: guess)
    pending.count = start
  }

  /// Returns the guess for the key list of an object that begins now.
  func guess(in frame: Frame) -> UInt32 {
    frame.isObject && frame.pendingStart == Frame.isGuessed
      ? lists.childList(frame.list, frame.count - 1) : frame.childList
  }

  /// Stores the key list of an object, or of an array's last object, for the next guess.
  mutating func remember(_ list: UInt32, in frame: inout Frame) {
    frame.childList = list
    guard frame.isObject else { return }
    if frame.pendingStart == Frame.isGuessed {
      lists.setChildList(frame.list, frame.count - 1, to: list)
    } else {
      pending.base[pending.count - 1].childList = list
    }
  }
}
