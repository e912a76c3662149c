extension JSONValue: Codable {
  /// Decodes any value. From a `JSON` this costs no more than `JSON.value`; with other decoders it
  /// tries each kind of value in turn. They do not tell `2.0` from `2`, so a whole `double` becomes an
  /// `int`; to save a tree, use `JSON.encode`.
  public init(from decoder: any Decoder) throws {
    if let decoder = decoder as? JSONValueDecoder {
      self = decoder.json.value
    } else if let members = try? decoder.container(keyedBy: JSONPathKey.self) {
      self = .object(
        JSONObject(
          try members.allKeys.map { key in
            (key.stringValue, try members.decode(JSONValue.self, forKey: key))
          }))
    } else if var elements = try? decoder.unkeyedContainer() {
      var array: [JSONValue] = []
      while !elements.isAtEnd { array.append(try elements.decode(JSONValue.self)) }
      self = .array(array)
    } else {
      self = try JSONValue(from: decoder.singleValueContainer())
    }
  }

  private init(from container: any SingleValueDecodingContainer) throws {
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .int(value)
    } else if let value = try? container.decode(UInt64.self) {
      self = .uint(value)
    } else if let value = try? container.decode(Double.self) {
      self = .double(value)
    } else {
      self = .string(try container.decode(String.self))
    }
  }

  /// Encodes the value.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .object(let object):
      var container = encoder.container(keyedBy: JSONPathKey.self)
      for (key, value) in object { try container.encode(value, forKey: JSONPathKey(key)) }
      return
    case .array(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
      return
    default:
      break
    }
    var container = encoder.singleValueContainer()
    switch self {
    case .bool(let value): try container.encode(value)
    case .int(let value): try container.encode(value)
    case .uint(let value): try container.encode(value)
    case .double(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .null, .array, .object: try container.encodeNil()
    }
  }
}

extension JSON: Codable {
  /// Decodes any value. From a `JSON` it is a part of the same document and costs nothing; from
  /// other decoders it is copied into a document of its own, in which `2.0` is `2`, and fractions have the
  /// digits of a `Double`. To save it, use its text, which is its `description`.
  public init(from decoder: any Decoder) throws {
    if let decoder = decoder as? JSONValueDecoder {
      self = decoder.json
      decoder.session.noteSharing()
    } else {
      self = try JSON(JSONValue(from: decoder))
    }
  }

  /// Encodes the value.
  public func encode(to encoder: any Encoder) throws {
    try value.encode(to: encoder)
  }
}
