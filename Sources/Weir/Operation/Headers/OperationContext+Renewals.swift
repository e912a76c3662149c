extension OperationContext {
  /// How often an ``AuthExchange`` has renewed what it has attached.
  struct Renewal: Sendable {
    /// 0 if it has attached something else.
    let count: UInt64
    /// All values of the header.
    let value: String
  }

  /// Notes the headers that an auth exchange has attached: by the name in lower case, or by an empty name if
  /// it has set no header with credentials.
  mutating func noteCredentials(addedTo before: HTTPHeaders, renewalCount: UInt64) {
    var renewals = renewals ?? [:]
    let count = renewalCount + 1
    var hasCredential = false
    for field in headers {
      let (name, value) = (field.name.lowercased(), headers[field.name] ?? "")
      guard value != before[name] else { continue }
      renewals[name] = Renewal(count: count, value: value)
      hasCredential = hasCredential || headerRules.isCredential(name)
    }
    if !hasCredential {
      renewals[""] = Renewal(count: count, value: "")
      for field in before where renewals[field.name.lowercased()] == nil {
        renewals[field.name.lowercased()] = Renewal(count: 0, value: before[field.name] ?? "")
      }
    }
    self.renewals = renewals
  }
}
