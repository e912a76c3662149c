internal import WeirSupport

/// Finds elements of arrays by their positions, and members of objects by their keys.
///
/// The errors of a list come in its order, and from the beginning each look-up would walk over all elements
/// before its own. So each look-up begins at the element that was found before. When one is before that, or
/// when an object is asked for many members, the finder notes where all of them are.
package struct ElementFinder {
  private var arrays = [TapeIndex: Elements]()
  private var objects = [TapeIndex: Members]()

  private enum Elements {
    /// The element that was found last.
    case last(position: Int, element: TapeIndex)
    case all([TapeIndex])
  }

  private enum Members {
    /// How often a member was looked for.
    case searched(Int)
    case all([ExactString: TapeIndex])
  }

  /// As many elements or look-ups cost less than to note where all are.
  private static let few = 16

  package init() {}

  /// Returns the element at a position; nil if there is none or the value is not an array. All values
  /// must be of one document.
  package mutating func element(of array: JSON, at position: Int) -> JSON? {
    array.withTape { tape, index in
      guard tape[index].kind == .array, position >= 0, position < tape.count(index) else {
        return nil
      }
      return JSON(document: array.document, index: element(index, position, tape))
    }
  }

  private mutating func element(
    _ array: TapeIndex, _ position: Int, _ tape: JSONTape
  ) -> TapeIndex {
    var (place, element) = (0, array.firstChild)
    switch arrays[array] {
    case .all(let elements): return elements[position]
    case .last(let last, let found) where last <= position: (place, element) = (last, found)
    case .last where position > Self.few:
      let elements = Array(tape.children(of: array))
      arrays[array] = .all(elements)
      return elements[position]
    case .last, nil: break
    }
    while place < position {
      element = tape.next(element)
      place += 1
    }
    arrays[array] = .last(position: place, element: element)
    return element
  }

  /// Returns the value of a member; nil if there is none of that name or the value is not an object. All
  /// values must be of one document.
  package mutating func member(of object: JSON, named key: String) -> JSON? {
    guard object.kind == .object, object.count > Self.few else { return object[key] }
    return object.withTape { tape, index in
      member(index, key, tape).map { JSON(document: object.document, index: $0) }
    }
  }

  /// The member of a large object.
  private mutating func member(
    _ object: TapeIndex, _ key: String, _ tape: JSONTape
  ) -> TapeIndex? {
    switch objects[object] {
    case .all(let members): return members[ExactString(key)]
    case .searched(Self.few):
      var members: [ExactString: TapeIndex] = [:]
      members.reserveCapacity(tape.count(object))
      for (position, value) in tape.children(of: object).enumerated() {
        let key = tape.key(tape.keyList(object), position)
        members[ExactString(tape.string(key))] = value
      }
      objects[object] = .all(members)
      return members[ExactString(key)]
    case .searched(let count): objects[object] = .searched(count + 1)
    case nil: objects[object] = .searched(1)
    }
    var key = key
    return key.withUTF8 { tape.member($0, of: object) }
  }
}
