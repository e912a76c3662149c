import WeirSupport

/// The objects that a document shows several times: the same entity with the same fields.
///
/// A list of thousands of todos has far fewer authors. The cache, which knows which objects are the
/// same, lists them here, so that each is decoded once for each type; its other places get a copy
/// of the value. If the type is a class, each place gets another instance.
package struct RepeatedObjects: Sendable {
  /// A place of such an object. All places of one object have the same number.
  package struct Place: Sendable {
    let cell: TapeIndex
    let number: UInt32

    package init(cell: TapeIndex, number: UInt32) {
      self.cell = cell
      self.number = number
    }
  }

  /// In the order of the document.
  private let places: ContiguousArray<Place>
  /// The index of the next place if objects are decoded in order.
  private var next = 0

  package init(_ places: ContiguousArray<Place>) {
    self.places = places
  }

  /// Returns the number of the object at a cell; nil if it is shown nowhere else.
  mutating func number(at cell: TapeIndex) -> Int? {
    if next < places.count, places[next].cell == cell {
      next += 1
      return Int(places[next - 1].number)
    }
    // Between two places, as nearly all other cells are.
    if next < places.count, places[next].cell > cell, next == 0 || places[next - 1].cell < cell {
      return nil
    }
    return find(cell)
  }

  @inline(never)
  private mutating func find(_ cell: TapeIndex) -> Int? {
    next = places.partitioningIndex { $0.cell >= cell }
    guard next < places.count, places[next].cell == cell else { return nil }
    next += 1
    return Int(places[next - 1].number)
  }
}

/// The values of one type that repeated objects were decoded as.
@usableFromInline
final class RepeatedValues<Value> {
  // Proof for both `exclusivity(unchecked)`: one decoding session uses them, on its thread, and no
  // method calls another.
  @exclusivity(unchecked) @usableFromInline var values: ContiguousArray<Value> = []
  /// By the objects' numbers: the index of the value, plus one; 0 if there is none.
  @exclusivity(unchecked) @usableFromInline var places: ContiguousArray<Int32> = []

  @usableFromInline let isReused = !isClass(Value.self)

  @inlinable
  init() {}

  // Not one method with an optional result, whose type generic code would look up each time.

  @inlinable
  func has(_ number: Int) -> Bool { number < places.count && places[number] > 0 }

  /// Returns the value of an object that has one.
  @inlinable
  func value(_ number: Int) -> Value { values[Int(places[number]) - 1] }

  @inlinable
  func keep(_ value: Value, _ number: Int) {
    guard isReused else { return }
    values.append(value)
    while places.count <= number { places.append(0) }
    places[number] = Int32(truncatingIfNeeded: values.count)
  }
}

/// Whether values of a type are instances of a class, or optionals or arrays of them. They may
/// change, so no two places may share one.
@usableFromInline
func isClass(_ type: any Any.Type) -> Bool {
  type is AnyClass || (type as? any Container.Type).map { isClass($0.content) } ?? false
}

private protocol Container {
  static var content: any Any.Type { get }
}

extension Optional: Container { fileprivate static var content: any Any.Type { Wrapped.self } }
extension Array: Container { fileprivate static var content: any Any.Type { Element.self } }
