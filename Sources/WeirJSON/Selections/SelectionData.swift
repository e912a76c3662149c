/// The fields of one selection set, as generated from a GraphQL document.
///
/// Besides reading its fields (``SelectionDecodable``), such a type writes them, which is what
/// optimistic results and updates of a normalized store need. `Codable` follows from both, for any
/// encoder and decoder.
///
/// The fields of fragments are properties of their own, so one object may be shown by several
/// values. If they differ in a field of the same name, encoding throws.
public protocol SelectionData: SelectionDecodable, Encodable, Hashable, Sendable {
  /// Writes the fields, and the parts that fragments select.
  func write(to fields: inout FieldWriter)
}

extension SelectionData {
  /// Decodes the value from any decoder. Other decoders than Weir's take a way through a
  /// `JSONValue`.
  public init(from decoder: any Decoder) throws {
    guard let decoder = decoder as? JSONValueDecoder else {
      self = try JSON(JSONValue(from: decoder)).decode()
      return
    }
    self = try decoder.session.withTape {
      try decoder.session.newSelection(at: decoder.index, $0)
    }
  }

  /// Encodes the value with any encoder. Nil is written as null, except for what the operation
  /// selects under a condition. Numbers are written as a `JSONValue` holds them, so integers beyond
  /// 64 bits and the digits of a `Decimal` are rounded to the nearest `Double`.
  public func encode(to encoder: any Encoder) throws {
    let value: JSONValue
    do {
      value = try JSONValue(selection: self)
    } catch {
      throw JSONEncodingError(error, within: encoder.codingPath.map { JSONPathKey($0) })
    }
    // At once, unless it has members already.
    if let encoder = encoder as? ValueEncoder, encoder.isEmpty { return try encoder.encode(value) }
    try value.encode(to: encoder)
  }
}

extension JSONValue {
  /// Creates the tree of a selection set.
  ///
  /// - Parameters:
  ///   - data: the fields and their parts.
  ///   - old: the tree of the data before a change. Where two parts have different values for one
  ///     field, the one that has changed counts.
  ///   - path: where the selection set stands in the data.
  ///   - omitted: where to note the members that the tree lacks because the part that counts does not
  ///     select them.
  /// - Throws: `JSONEncodingError` with the reason `conflictingParts` if parts have different
  ///   values for one field, and nothing tells which of them counts; the error of a value that
  ///   cannot be encoded.
  package init(
    selection data: some SelectionData, old: JSONValue? = nil, at path: [JSONPathKey] = [],
    omitted: OmittedMembers? = nil
  ) throws {
    var fields = FieldWriter(old: old?.object, at: path, omitted: omitted)
    data.write(to: &fields)
    self = .object(try fields.finish())
  }
}
