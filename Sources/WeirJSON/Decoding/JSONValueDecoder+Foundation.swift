import Foundation

extension JSONValueDecoder {
  /// Returns whether JSON users expect another form than that of the type's own `Codable`.
  func isFoundationType(_ type: any Any.Type) -> Bool {
    type == Date.self || type == URL.self || type == Data.self || type == Decimal.self
  }

  /// Decodes a value of such a type.
  @inline(never)
  func foundationValue<Value>(_ type: Value.Type) throws -> Value {
    let value: Any =
      if type == Date.self {
        try date()
      } else if type == URL.self {
        try url()
      } else if type == Data.self {
        try data()
      } else {
        try decimal()
      }
    guard let value = value as? Value else { throw mismatch(type) }
    return value
  }

  private func date() throws -> Date {
    switch session.dates {
    case .iso8601:
      guard let date = ISO8601.date(try decode(String.self)) else {
        throw invalid("The string is not an ISO 8601 date.")
      }
      return date
    case .secondsSince1970:
      return Date(timeIntervalSince1970: try decode(Double.self))
    case .millisecondsSince1970:
      return Date(timeIntervalSince1970: try decode(Double.self) / 1000)
    case .deferredToDate:
      return try Date(from: self)
    }
  }

  private func url() throws -> URL {
    guard let url = URL(string: try decode(String.self)) else {
      throw invalid("The string is not a URL.")
    }
    return url
  }

  private func data() throws -> Data {
    guard let data = Data(base64Encoded: try decode(String.self)) else {
      throw invalid("The string is not Base64.")
    }
    return data
  }

  private func decimal() throws -> Decimal {
    guard kind == .number || kind == .string else { throw mismatch(Decimal.self) }
    let text = kind == .number ? json.description : try decode(String.self)
    guard let parsed = try? JSON(parsing: text), parsed.kind == .number,
      parsed.bytes.count == text.utf8.count,
      let decimal = Decimal(string: text, locale: nil), decimal.isFinite
    else { throw invalid("The value is not a number that fits into Decimal.") }
    return decimal
  }
}
