import WeirSupport

/// The decoded elements of a document's long arrays, kept for the document that takes its place.
///
/// When one object of a list of thousands changes, the next result has all other elements in common
/// with the one before: they are taken over, and only what has changed is decoded. So an element's
/// `init(from:)` runs once for each state of its object, not once for each result that shows it.
@usableFromInline
package final class DecodedElements: Sendable {
  /// How many elements an array must have to be worth it.
  @usableFromInline package static let minimumCount = 32

  /// A run of elements that stand in two arrays.
  package struct Run: Sendable {
    let start: Int
    let startBefore: Int
    let count: Int
    /// The cell that follows the run.
    let cellAfter: Int

    package init(start: Int, startBefore: Int, count: Int, cellAfter: Int) {
      self.start = start
      self.startBefore = startBefore
      self.count = count
      self.cellAfter = cellAfter
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
  private let repeated: (@Sendable () -> RepeatedObjects?)?

  /// Of a document whose arrays, by index, have something in common with those of `other`'s.
  ///
  /// `repeated` tells which of its objects are the same; it is asked when the document is decoded.
  package init(
    sharing shared: [Int: SharedArray] = [:], with other: DecodedElements? = nil,
    repeated: (@Sendable () -> RepeatedObjects?)? = nil
  ) {
    self.repeated = repeated
    // The arrays alone, so that documents do not hang on to all before them.
    let before = shared.isEmpty ? nil : other?.state.withLock(\.arrays)
    state = Locked(State(before: before ?? [:], shared: shared))
  }

  func repeatedObjects() -> RepeatedObjects? { repeated?() }

  /// The elements of the array before, and which of them are to be taken over: none if there is no
  /// such array. They are given away: who has the only reference to them can change them in place.
  func takeBefore<Element>(_ index: Int, into elements: inout [Element]) -> [Run] {
    let found = state.withLock { state -> (DecodedArray, [Run])? in
      guard let shared = state.shared[index] else { return nil }
      let key = ArrayKey(index: shared.indexBefore, type: ObjectIdentifier(Element.self))
      return state.before.removeValue(forKey: key).map { ($0, shared.runs) }
    }
    guard let (array, runs) = found, let before = array.elements as? [Element] else { return [] }
    elements = before
    return runs
  }

  /// Keeps an array for the next document.
  @usableFromInline
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

extension [DecodedElements.Run] {
  /// Whether there are so many places from which on elements stand further on, or further back, than
  /// before that to move them one place after the other would cost more than a new array.
  var moveTooMuch: Bool {
    var (moves, distance) = (0, 0)
    for run in self where run.start - run.startBefore != distance {
      distance = run.start - run.startBefore
      moves += 1
    }
    return moves > 8
  }
}

/// Elements of some type.
private struct DecodedArray: @unchecked Sendable {
  // Proof: never changed, and only given to decoders of values that are Sendable themselves, as
  // parts of which these elements have been decoded.
  let elements: Any
}
