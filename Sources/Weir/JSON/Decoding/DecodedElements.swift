/// The decoded elements of a document's long arrays, kept for the document that takes its place.
///
/// When one object of a list of thousands changes, the next result has all other elements in common
/// with the one before: they are taken over, and only what has changed is decoded. So an element's
/// `init(from:)` runs once for each state of its object, not once for each result that shows it.
package final class DecodedElements: Sendable {
  /// How many elements an array must have to be worth it.
  package static let minimumCount = 32

  /// A run of elements that stand in two arrays.
  package struct Run: Sendable {
    package var start: Int
    package let startBefore: Int
    package var count: Int

    package init(start: Int, startBefore: Int, count: Int) {
      self.start = start
      self.startBefore = startBefore
      self.count = count
    }
  }

  /// The array that one takes the place of, and what they have in common.
  package struct SharedArray: Sendable {
    package let indexBefore: Int
    package let runs: [Run]

    package init(indexBefore: Int, runs: [Run]) {
      self.indexBefore = indexBefore
      self.runs = runs
    }
  }

  private struct State {
    var arrays: [ArrayKey: DecodedArray] = [:]
    var before: [ArrayKey: DecodedArray]
    var shared: [Int: SharedArray]
  }

  private struct ArrayKey: Hashable {
    let index: Int
    let type: ObjectIdentifier
  }

  private let state: Locked<State>

  /// Of a document whose arrays, by index, have something in common with those of `other`'s.
  package init(sharing shared: [Int: SharedArray] = [:], with other: DecodedElements? = nil) {
    // The arrays alone, so that documents do not hang on to all before them.
    let before = shared.isEmpty ? nil : other?.state.withLock(\.arrays)
    state = Locked(State(before: before ?? [:], shared: shared))
  }

  /// The elements of the array before, and which of them are to be taken over.
  func before<Element>(
    _ index: Int, of type: Element.Type
  ) -> (elements: [Element], runs: [Run])? {
    let found = state.withLock { state -> (DecodedArray, [Run])? in
      guard let shared = state.shared[index] else { return nil }
      let key = ArrayKey(index: shared.indexBefore, type: ObjectIdentifier(type))
      return state.before[key].map { ($0, shared.runs) }
    }
    guard let (array, runs) = found, let elements = array.elements as? [Element] else { return nil }
    return (elements, runs)
  }

  /// Keeps an array for the next document.
  func keep<Element>(_ elements: [Element], of index: Int) {
    let key = ArrayKey(index: index, type: ObjectIdentifier(Element.self))
    let array = DecodedArray(elements: elements)
    state.withLock { $0.arrays[key] = array }
  }

  /// The document is decoded: what was before has served.
  func forgetBefore() {
    let before = state.withLock { state in
      defer { state.before = [:] }
      return state.before
    }
    // Not under the lock: the end of the elements is the user's code.
    withExtendedLifetime(before) {}
  }
}

/// Elements of some type.
private struct DecodedArray: @unchecked Sendable {
  // Proof: never changed, and only given to decoders of values that are Sendable themselves, as
  // parts of which these elements have been decoded.
  let elements: Any
}

// MARK: - Decoding

/// An array whose elements can be decoded.
private protocol DecodableArray {
  static func decode(from decoder: JSONValueDecoder) throws -> Self
}

extension Array: DecodableArray where Element: Decodable {
  fileprivate static func decode(from decoder: JSONValueDecoder) throws -> [Element] {
    let session = decoder.session
    let index = Int(decoder.index)
    let before = session.elements?.before(index, of: Element.self)
    var runs = before?.runs[...] ?? []
    let count = session.withTape { $0.extent(index).detail }
    var elements: [Element] = []
    elements.reserveCapacity(count)
    var cell = index + 2
    while elements.count < count {
      if let before, let run = runs.first, run.start == elements.count {
        runs.removeFirst()
        elements += before.elements[run.startBefore..<run.startBefore + run.count]
        for _ in 0..<run.count { cell = session.withTape { $0.next(cell) } }
        continue
      }
      let element = JSONValueDecoder(session: session, index: UInt32(truncatingIfNeeded: cell))
      elements.append(try element.decode(Element.self))
      cell = session.withTape { $0.next(cell) }
    }
    session.elements?.keep(elements, of: index)
    return elements
  }
}

extension JSONValueDecoder {
  /// The value, if it is a long array and an array of the standard library is asked for: that would
  /// decode element by element behind two existentials.
  @inline(__always)
  func longArray<Value>(_ type: Value.Type) throws -> Value? {
    let count = session.withTape { tape in
      tape[Int(index)].kind == .array ? tape.extent(Int(index)).detail : 0
    }
    return count >= DecodedElements.minimumCount ? try array(type) : nil
  }

  @inline(never)
  private func array<Value>(_ type: Value.Type) throws -> Value? {
    guard let type = type as? any DecodableArray.Type else { return nil }
    return try type.decode(from: self) as? Value
  }
}
