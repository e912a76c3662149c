extension RandomAccessCollection where Index == Int {
  /// The first index whose element satisfies a condition that all elements after it satisfy, too;
  /// `endIndex` if there is none.
  @inlinable
  package func partitioningIndex(where isBehind: (Element) -> Bool) -> Int {
    var low = startIndex
    var high = endIndex
    while low < high {
      let middle = (low + high) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
