package import Weir

/// The name of an argument, or the path to a value within one, such as `input.id`.
package struct ArgumentPath {
  /// Why a path finds nothing although the argument has a value.
  package enum Mistake: Error {
    /// A value on the way is a list.
    case list
    /// A value on the way is a leaf.
    case leaf
    /// An object on the way lacks a step of the path, but has a member with the same letters. One with similar
    /// letters may be another way to select: `externalId` or `internalId`.
    case misspelled(step: String, member: String)
  }

  private let steps: [String]

  package init(_ text: String) {
    steps = text.split(separator: ".").map(String.init)
  }

  /// The name of the argument.
  package var argument: String { steps.first ?? "" }

  /// The value in an argument; nil if it is absent or null.
  package func value(in argument: JSON?) throws(Mistake) -> JSON? {
    var last = argument
    for step in steps.dropFirst() {
      guard let value = last, !value.isNull else { return nil }
      guard value.kind == .object else { throw value.kind == .array ? Mistake.list : Mistake.leaf }
      last = value[step]
      let misspelling =
        last == nil ? value.members.first { NearestName.isSpelling(step, of: $0.key) } : nil
      if let misspelling { throw .misspelled(step: step, member: misspelling.key) }
    }
    return last.flatMap { $0.isNull ? nil : $0 }
  }
}

extension ArgumentPath.Mistake: CustomStringConvertible {
  /// The value that the argument has, as a part of a sentence.
  package var description: String {
    switch self {
    case .list: "a list instead of an object"
    case .leaf: "a leaf instead of an object"
    case .misspelled(let step, let member): "\(member) instead of \(step)"
    }
  }
}
