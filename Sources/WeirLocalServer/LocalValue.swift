import Weir

/// The value of a field: a leaf, a list, or an object whose members may be closures.
///
/// Most values can be written as literals. ``value(_:)`` takes any `Encodable` value, and ``field(_:)``
/// a closure that the server calls if a request selects the member.
///
/// ```swift
/// $0.query("me") { _ in
///   .object("User", [
///     "name": "Ann",
///     "posts": .field { request in try .value(store.posts(first: request.argument("first"))) },
///   ])
/// }
/// ```
public struct LocalValue: Sendable {
  enum Content: Sendable {
    case json(JSONValue)
    case list([LocalValue])
    case object([String: LocalValue])
    case field(@Sendable (FieldRequest) async throws -> LocalValue)
    case failure(any Error)
  }

  let content: Content
  /// The number that the members of a sample without an `id` depend on; nil for other values.
  let sample: UInt64?

  init(_ content: Content, sample: UInt64? = nil) {
    self.content = content
    self.sample = sample
  }

  /// Makes a value from an `Encodable` value. If encoding fails, the field has an error.
  public static func value(_ value: some Encodable) -> LocalValue {
    if let value = value as? JSONValue { return LocalValue(.json(value)) }
    do {
      return LocalValue(.json(try JSONValue(encoding: value)))
    } catch {
      return LocalValue(.failure(error))
    }
  }

  /// Makes an object with a type, for fields of an interface or union type and for servers without a
  /// schema.
  public static func object(_ typename: String, _ members: [String: LocalValue]) -> LocalValue {
    LocalValue(.object(members.merging(["__typename": .value(typename)]) { $1 }))
  }

  /// Makes a list. A list of literals can be written as `[first, second]`.
  public static func list(_ elements: [LocalValue]) -> LocalValue {
    LocalValue(.list(elements))
  }

  /// Makes a value that the server computes only if a request selects it.
  public static func field(
    _ resolve: @escaping @Sendable (FieldRequest) async throws -> LocalValue
  ) -> LocalValue {
    LocalValue(.field(resolve))
  }

  /// The value as JSON, without closures and failures.
  var json: JSONValue {
    switch content {
    case .json(let json): json
    case .list(let elements): .array(elements.map(\.json))
    case .object(let members):
      .object(
        JSONObject(
          members.sorted { $0.key < $1.key }.compactMap { key, member in
            switch member.content {
            case .field, .failure: nil
            case .json, .list, .object: (key, member.json)
            }
          }))
    case .field, .failure: .null
    }
  }

  /// The member of an object; nil if the member is missing or the value is not an object.
  subscript(member: String) -> LocalValue? {
    switch content {
    case .json(let json): json.object?[member].map { LocalValue(.json($0)) }
    case .object(let members): members[member]
    case .list, .field, .failure: nil
    }
  }

  var elements: [LocalValue]? {
    switch content {
    case .json(.array(let elements)): elements.map { LocalValue(.json($0)) }
    case .list(let elements): elements
    case .json, .object, .field, .failure: nil
    }
  }

  var isObject: Bool {
    switch content {
    case .json(.object), .object: true
    case .json, .list, .field, .failure: false
    }
  }

  var isNull: Bool {
    if case .json(.null) = content { true } else { false }
  }
}

extension LocalValue: ExpressibleByNilLiteral {
  /// Makes null.
  public init(nilLiteral: ()) { self.init(.json(.null)) }
}

extension LocalValue: ExpressibleByBooleanLiteral {
  /// Makes a leaf.
  public init(booleanLiteral value: Bool) { self.init(.json(.bool(value))) }
}

extension LocalValue: ExpressibleByIntegerLiteral {
  /// Makes a leaf.
  public init(integerLiteral value: Int64) { self.init(.json(.int(value))) }
}

extension LocalValue: ExpressibleByFloatLiteral {
  /// Makes a leaf.
  public init(floatLiteral value: Double) { self.init(.json(.double(value))) }
}

extension LocalValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  /// Makes a leaf.
  public init(stringLiteral value: String) { self.init(.json(.string(value))) }
}

extension LocalValue: ExpressibleByArrayLiteral {
  /// Makes a list.
  public init(arrayLiteral elements: LocalValue...) { self.init(.list(elements)) }
}

extension LocalValue: ExpressibleByDictionaryLiteral {
  /// Makes an object. If a key occurs several times, the last member counts.
  public init(dictionaryLiteral elements: (String, LocalValue)...) {
    self.init(.object(Dictionary(elements) { $1 }))
  }
}
