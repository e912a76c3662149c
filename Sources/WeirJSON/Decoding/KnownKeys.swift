/// Which names were found to equal which keys of a document's key lists.
///
/// The elements of a list have the same keys, and their initializer reads them by the same constants. So a
/// key need be compared only the first time, which saves a twentieth of the time of decoding a long list.
struct KnownKeys {
  /// For each of the first words of the key lists: the address of the name that equals the key after it.
  private var names: ContiguousArray<UInt> = []

  /// Larger key lists are compared each time.
  private static let maximumCount = 512

  /// Whether a name is known to equal the key at a place: the sum of its list and its position in that.
  @inline(__always)
  func has(_ name: StaticString, at place: Int) -> Bool {
    place < names.count && name.hasPointerRepresentation
      // A constant ends with a null byte, so two of the same address are the same.
      && names[place] == UInt(bitPattern: name.utf8Start)
  }

  mutating func note(_ name: StaticString, at place: Int) {
    guard place < Self.maximumCount, name.hasPointerRepresentation else { return }
    while names.count <= place { names.append(0) }
    names[place] = UInt(bitPattern: name.utf8Start)
  }
}
