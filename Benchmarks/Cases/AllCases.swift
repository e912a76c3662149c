/// Everything that is measured, in the order of the table. To add a case, add it to one of these
/// lists or to a list that they already contain.
enum AllCases {
  static var timed: [BenchmarkCase] {
    forClients + forStores + forParts
  }

  static var memory: [MemoryCase] {
    #if canImport(WeirCurl) && (os(Linux) || os(macOS))
      MemoryCases.all + MemoryCases.idleResponses
    #else
      MemoryCases.all
    #endif
  }

  private static var forClients: [BenchmarkCase] {
    HitCases.all + MissCases.all + DedupCases.all + InvalidationCases.all + WakeCases.all
      + ListCases.all + ConnectionCases.all + CreateCases.all + GrowthCases.all + ExchangeCases.all
      + HTTPCases.all
      + processorTime
  }

  private static var processorTime: [BenchmarkCase] {
    #if canImport(WeirCurl) && (os(Linux) || os(macOS))
      ProcessorCases.all
    #else
      []
    #endif
  }

  private static var forStores: [BenchmarkCase] {
    EntityCases.all + StoreCases.all + SuiteCases.all + SQLiteCases.all
  }

  private static var forParts: [BenchmarkCase] {
    KeyCases.all + JSONCases.all + GraphQLCases.all + GeneratedCases.all
  }
}
