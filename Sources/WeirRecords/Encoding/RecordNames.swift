import Weir

/// The numbers that records hold in place of names.
package struct RecordNames {
  /// The names by number, as far as they are known.
  private var texts: [UInt32: String] = [:]
  private var numbers: [ExactString: UInt32] = [:]
  /// Names without a number, since somebody has asked for it.
  package private(set) var unnumbered: [String] = []

  /// The numbers that a storage has given out.
  package init(_ texts: [UInt32: String] = [:]) {
    for (number, text) in texts { add(text, number) }
  }

  package mutating func add(_ text: String, _ number: UInt32) {
    texts[number] = text
    numbers[ExactString(text)] = number
  }

  package func text(_ number: UInt32) -> String? { texts[number] }

  /// The number of a name; 0, and a note, if it has none yet.
  package mutating func number(_ name: String) -> UInt32 {
    if let number = numbers[ExactString(name)] { return number }
    if !unnumbered.contains(name) { unnumbered.append(name) }
    return 0
  }

  /// Numbers what has none.
  package mutating func number<Failure: Error>(
    by register: ([String]) throws(Failure) -> [UInt32]
  ) throws(Failure) {
    for (name, number) in zip(unnumbered, try register(unnumbered)) { add(name, number) }
    unnumbered = []
  }
}
