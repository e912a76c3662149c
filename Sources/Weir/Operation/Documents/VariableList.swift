/// Variables of different types; if a name comes twice, the last value counts.
struct VariableList: Encodable, Sendable {
  private var values: [String: any Encodable & Sendable] = [:]

  init(_ pairs: KeyValuePairs<String, any Encodable & Sendable>) {
    for (name, value) in pairs { values[name] = value }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: JSONPathKey.self)
    for (name, value) in values { try container.encode(value, forKey: JSONPathKey(name)) }
  }
}
