/// Everything that is measured, in the order of the table. To add a case, add it to a list here or
/// to one that is here already.
enum AllCases {
  static var timed: [BenchmarkCase] {
    HitCases.all + KeyCases.all + ExchangeCases.all + InvalidationCases.all + DedupCases.all
      + MissCases.all + HTTPCases.all + JSONCases.all + NormalizedCases.all + WakeCases.all
      + SQLiteCases.all + GraphQLCases.all
  }

  static var memory: [MemoryCase] {
    MemoryCases.all
  }
}
