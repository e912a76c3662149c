import WeirSupport

/// The keys of one `JSONObject`, or of many that have the same ones.
///
/// Proof: it is changed by `append` only, which `JSONObject` calls after `isKnownUniquelyReferenced`
/// has shown that nobody else has a reference. So no two threads ever use it while it changes.
final class JSONKeys: @unchecked Sendable {
  private(set) var list: [String]

  /// The position of each key, as soon as there are more than a few.
  private var positions: [ExactString: Int] = [:]

  static let none = JSONKeys([])
  private static let few = 12

  init(_ list: ArraySlice<String>) {
    self.list = Array(list)
    if list.count > JSONKeys.few { addPositions() }
  }

  func append(_ key: String) {
    list.append(key)
    if positions.isEmpty {
      if list.count > JSONKeys.few { addPositions() }
    } else {
      positions[ExactString(key)] = list.count - 1
    }
  }

  func position(of key: String) -> Int? {
    if !positions.isEmpty { return positions[ExactString(key)] }
    return list.firstIndex { ExactString($0) == ExactString(key) }
  }

  private func addPositions() {
    for (position, key) in list.enumerated() { positions[ExactString(key)] = position }
  }
}
