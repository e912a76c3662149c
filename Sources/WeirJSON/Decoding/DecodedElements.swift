import WeirSupport

/// The decoded elements of a document's long arrays, kept for the document that replaces it.
///
/// When one object of a list of thousands changes, all other elements of the next result are the
/// same as before. They are reused, and only the changed ones are decoded. So an element's
/// `init(from:)` runs once for each state of its object, not once for each result that shows it. So
/// it must not give each value something of its own, such as a new identifier. Elements that are
/// instances of classes are not reused, nor those in which there is a `JSON`; instances within elements
/// are.
@usableFromInline
package final class DecodedElements: Sendable {
  /// The least number of elements for which keeping them pays.
  @usableFromInline package static let minimumCount = 32

  /// A run of elements that two arrays share.
  package struct Run: Sendable {
    let start: Int
    let startBefore: Int
    let count: Int
    /// The cell that follows the run.
    let cellAfter: TapeIndex

    package init(start: Int, startBefore: Int, count: Int, cellAfter: TapeIndex) {
      self.start = start
      self.startBefore = startBefore
      self.count = count
      self.cellAfter = cellAfter
    }
  }

  /// The array that another one replaces, and the elements that they share.
  package struct SharedArray: Sendable {
    let indexBefore: TapeIndex
    let runs: [Run]

    package init(indexBefore: TapeIndex, runs: [Run]) {
      self.indexBefore = indexBefore
      self.runs = runs
    }
  }

  private struct State {
    var arrays: [ArrayKey: DecodedArray] = [:]
    var before: [ArrayKey: DecodedArray]
    var shared: [TapeIndex: SharedArray]
  }

  private struct ArrayKey: Hashable {
    let index: TapeIndex
    let type: ObjectIdentifier
  }

  private let state: Locked<State>
  private let repeated: (@Sendable () -> RepeatedObjects?)?

  /// Creates the elements of a document.
  ///
  /// - Parameters:
  ///   - shared: by the index of an array in the document, what it shares with an array before.
  ///   - other: the elements of the document before.
  ///   - repeated: returns the objects that the document shows several times; called when it is
  ///     decoded.
  package init(
    sharing shared: [TapeIndex: SharedArray] = [:], with other: DecodedElements? = nil,
    repeated: (@Sendable () -> RepeatedObjects?)? = nil
  ) {
    self.repeated = repeated
    // Not `other` itself, which would keep all documents before it alive.
    let before = shared.isEmpty ? nil : other?.state.withLock(\.arrays)
    state = Locked(State(before: before ?? [:], shared: shared))
  }

  func repeatedObjects() -> RepeatedObjects? { repeated?() }

  /// Takes the elements of the array before, and returns the runs of them that are to be reused;
  /// none if there is no such array. This object drops its reference, so that the caller can change
  /// them in place.
  func takeBefore<Element>(_ index: TapeIndex, into elements: inout [Element]) -> [Run] {
    let found = state.withLock { state -> (DecodedArray, [Run])? in
      guard let shared = state.shared[index] else { return nil }
      let key = ArrayKey(index: shared.indexBefore, type: ObjectIdentifier(Element.self))
      return state.before.removeValue(forKey: key).map { ($0, shared.runs) }
    }
    guard let (array, runs) = found, let before = array.elements as? [Element] else { return [] }
    elements = before
    return runs
  }

  /// Keeps the elements of an array for the next document.
  @usableFromInline
  func keep<Element>(_ elements: [Element], of index: TapeIndex) {
    if isClass(Element.self) { return }
    let key = ArrayKey(index: index, type: ObjectIdentifier(Element.self))
    let array = DecodedArray(elements: elements)
    let replaced = state.withLock { $0.arrays.updateValue(array, forKey: key) }
    // Not under the lock: releasing the elements may run users' code.
    withExtendedLifetime(replaced) {}
  }

  /// Drops the elements of the document before, when this one is decoded.
  func forgetBefore() {
    let before = state.withLock { state in
      defer { state.before = [:] }
      return state.before
    }
    // As above.
    withExtendedLifetime(before) {}
  }
}

/// The elements of an array of some type.
private struct DecodedArray: @unchecked Sendable {
  // Proof: never changed. Only the decoding of a result, whose type is `Sendable`, stores and reads
  // elements. They are parts of such results, or the `init(from:)` of one has made it of them. An
  // intermediate value that is not `Sendable` and not an instance of a class is shared only if it
  // holds one, and then only with the `init(from:)` of the same type, which must not change it.
  let elements: Any
}
