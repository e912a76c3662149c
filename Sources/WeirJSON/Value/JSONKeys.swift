import WeirSupport

/// The keys of one `JSONObject`, or of many that have the same keys.
///
/// Proof: only `append` changes it, and `JSONObject` calls that only after
/// `isKnownUniquelyReferenced` has shown that it holds the only reference. So no other thread uses
/// it while it changes.
final class JSONKeys: @unchecked Sendable {
  private(set) var list: [String]

  /// The position of each key if there are more than a few.
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
