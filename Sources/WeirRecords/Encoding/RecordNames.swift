import Weir

/// The numbers that stand for names in encoded records.
package struct RecordNames {
  /// The known names, by number.
  private var texts: [UInt32: String] = [:]
  private var numbers: [ExactString: UInt32] = [:]
  /// Names that were requested but have no number yet.
  package private(set) var unnumbered: [String] = []
  /// The same names, for look-ups.
  private var noted: Set<ExactString> = []

  /// Creates names from the numbers that a storage has assigned.
  package init(_ texts: [UInt32: String] = [:]) {
    for (number, text) in texts { add(text, number) }
  }

  package mutating func add(_ text: String, _ number: UInt32) {
    texts[number] = text
    numbers[ExactString(text)] = number
  }

  func text(_ number: UInt32) -> String? { texts[number] }

  /// The number of a name. Returns 0 for a name without a number, and notes the name.
  package mutating func number(_ name: String) -> UInt32 {
    let exact = ExactString(name)
    if let number = numbers[exact] { return number }
    if noted.insert(exact).inserted { unnumbered.append(name) }
    return 0
  }

  /// Has all noted names numbered.
  package mutating func number<Failure: Error>(
    by register: ([String]) throws(Failure) -> [UInt32]
  ) throws(Failure) {
    for (name, number) in zip(unnumbered, try register(unnumbered)) { add(name, number) }
    (unnumbered, noted) = ([], [])
  }
}
