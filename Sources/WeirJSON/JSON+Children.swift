extension JSON {
  /// How many elements an array or members an object has; 0 for all other values.
  public var count: Int {
    withTape { tape, index in tape.count(index) }
  }

  /// The value of a member; nil if there is none or the value is not an object.
  ///
  /// Costs one comparison of bytes for each member before it, and creates no `String`.
  public subscript(key: String) -> JSON? {
    var key = key
    return key.withUTF8 { key in
      withTape { tape, index in
        tape.member(key, of: index).map { JSON(document: document, index: $0) }
      }
    }
  }

  /// The element at a position; nil if there is none or the value is not an array.
  ///
  /// Costs one step for each element before it. Use `elements` to visit all of them.
  public subscript(position: Int) -> JSON? {
    withTape { tape, index in
      guard tape[index].kind == .array, position >= 0, position < tape.count(index) else {
        return nil
      }
      return JSON(document: document, index: tape.value(index, at: position))
    }
  }

  /// The elements of an array, in order; empty for all other values.
  public var elements: Elements { Elements(self) }

  /// The members of an object, in the order of their first appearance; empty for other values.
  public var members: Members { Members(self) }

  /// The elements of an array.
  public struct Elements: Sequence, IteratorProtocol, Sendable {
    private let document: JSONDocument
    private var index: TapeIndex
    private var remaining: Int

    init(_ array: JSON) {
      document = array.document
      index = array.index.firstChild
      remaining = array.cell.kind == .array ? array.count : 0
    }

    /// How many elements are left.
    public var underestimatedCount: Int { remaining }

    /// The next element.
    public mutating func next() -> JSON? {
      guard remaining > 0 else { return nil }
      remaining -= 1
      let element = JSON(document: document, index: index)
      index = document.withTape { $0.next(index) }
      return element
    }
  }

  /// The members of an object. Creates a `String` for each key that is visited.
  public struct Members: Sequence, IteratorProtocol, Sendable {
    private let document: JSONDocument
    private let keyList: Int
    private let count: Int
    private var index: TapeIndex
    private var position = 0

    init(_ object: JSON) {
      let isObject = object.cell.kind == .object
      document = object.document
      index = object.index.firstChild
      keyList = isObject ? object.withTape { $0.keyList($1) } : 0
      count = isObject ? object.count : 0
    }

    /// How many members are left.
    public var underestimatedCount: Int { count - position }

    /// The next member.
    public mutating func next() -> (key: String, value: JSON)? {
      guard position < count else { return nil }
      let member = document.withTape { tape in
        (
          key: tape.string(tape.key(keyList, position)),
          value: JSON(document: document, index: index)
        )
      }
      index = document.withTape { $0.next(index) }
      position += 1
      return member
    }
  }
}
