import Weir

/// The floors of cases that read a normalized store.
extension Floors {
  /// The floor of a list that is read for the first time: visiting its records, noting what the result
  /// depends on, and making the values with their strings.
  static func readList(
    _ count: Int, _ read: @escaping (BareRecords) throws -> Int
  ) throws -> Workload {
    let records = BareRecords(
      try JSON(parsing: Payloads.todos(count)).decode(Response<TodosSelection>.self).data.todos)
    let sum = try Payloads.todosChecksum(count)
    return Workload(run: { operations in
      for _ in 0..<operations {
        try expect(read(records) == sum, "The floor of a read is wrong.")
      }
    })
  }
}
