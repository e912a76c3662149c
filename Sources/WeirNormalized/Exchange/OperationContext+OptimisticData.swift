public import Weir

extension OperationContext {
  struct OptimisticResult: Sendable {
    let data: JSONValue
    /// If the data was encoded from a value, with null for nil: the data without those.
    var withoutNils: JSONValue?
  }

  private enum OptimisticResultKey: OperationContextKey {
    static let defaultValue: OptimisticResult? = nil
  }

  private(set) var optimisticResult: OptimisticResult? {
    get { self[OptimisticResultKey.self] }
    set { self[OptimisticResultKey.self] = newValue }
  }

  /// The expected result of a mutation: an object with the selected fields by response key,
  /// including type names. A normalized cache shows it at once. In one step, it replaces it by the
  /// real result, or removes it if the mutation fails.
  public var optimisticData: JSONValue? {
    get { optimisticResult?.data }
    set { optimisticResult = newValue.map { OptimisticResult(data: $0) } }
  }

  /// Sets ``optimisticData`` from a value of your own. Optional members that are nil are shown as
  /// null; fields that the value's type does not have keep their values.
  ///
  /// - Throws: the error with which encoding the value fails.
  public mutating func setOptimisticData(_ value: some Encodable) throws {
    let data = try JSONValue(encodingNils: value)
    optimisticResult = OptimisticResult(
      data: data, withoutNils: data.holdsNulls ? try JSONValue(encoding: value) : nil)
  }
}
