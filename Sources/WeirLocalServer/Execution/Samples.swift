import GraphQLLanguage
import GraphQLValidation
import Weir

/// Makes values for fields that nothing else answers.
struct Samples: Sendable {
  private let types: TypeSystem
  private let filling: LocalServer.Filling

  /// Throws if the filling does not fit the schema.
  init(_ filling: LocalServer.Filling, for types: TypeSystem) throws(LocalServerError) {
    guard (0...1).contains(filling.nulls) else {
      throw LocalServerError("The share of nulls in samples must be between 0 and 1.")
    }
    for (name, values) in filling.scalars.sorted(by: { $0.key < $1.key }) {
      guard types.types[name]?.kind == .scalar else {
        throw LocalServerError("The schema has no scalar \"\(name)\", for which there are samples.")
      }
      guard !values.isEmpty else {
        throw LocalServerError("The list of samples for the scalar \"\(name)\" is empty.")
      }
    }
    self.types = types
    self.filling = filling
  }

  /// Returns the value of a field; `event` is the position of an event.
  func value(
    of field: FieldDefinition, _ request: FieldRequest, event: Int = 0
  ) -> LocalValue {
    var hash = StableHash(seed: identity(of: request.object, request.typename ?? ""))
    hash.combine(field.name)
    if !request.arguments.isEmpty { hash.combine(Self.text(.object(request.arguments))) }
    hash.combine(UInt64(event))
    let lists = request.path.count { if case .index = $0 { true } else { false } }
    let id = request.arguments["id"].flatMap { $0.string ?? $0.int.map { "\($0)" } }
    return sample(Place(field: field.name, hash: hash, lists: lists, id: id), of: field.type)
  }

  /// Returns the events of a subscription.
  func events(of field: FieldDefinition, _ request: FieldRequest) -> LocalResolvers.Events {
    {
      var rest = (0..<3).makeIterator()
      return { _ in rest.next().map { value(of: field, request, event: $0) } }
    }
  }

  /// Where a value is.
  private struct Place {
    let field: String
    /// Made from everything that the value depends on.
    var hash: StableHash
    /// The number of lists around it.
    var lists: Int
    /// The `id` that the request asks for.
    var id: String?
    /// Its position in the lists of the field.
    var position: UInt64 = 0

    /// Returns a number below a limit. Numbers for different purposes do not depend on each other.
    func number(below limit: Int, for purpose: String) -> Int {
      var hash = hash
      hash.combine(position)
      hash.combine(purpose)
      // The low bits of a product are the worst ones.
      return Int((hash.value >> 16) % UInt64(limit))
    }
  }

  /// A number that is the same for equal objects.
  private func identity(of object: LocalValue, _ typename: String) -> UInt64 {
    // There is one, also within the payload of a mutation.
    if typename == types.rootTypes[.query] { return identity(typename, "{}") }
    if let sample = object.sample { return sample }
    let json = object.json
    guard let id = json["id"].flatMap({ $0.string ?? $0.int.map { "\($0)" } }) else {
      return identity(typename, Self.text(json))
    }
    return identity(typename, id)
  }

  private func identity(_ typename: String, _ text: String) -> UInt64 {
    var hash = StableHash(seed: filling.seed)
    hash.combine(typename)
    hash.combine(text)
    return hash.value
  }

  private static func text(_ value: JSONValue) -> String {
    // An object that nests too deeply for JSON has no text, so all such objects are equal.
    (try? value.canonicalBytes()).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}

// MARK: - Types

extension Samples {
  private func sample(_ place: Place, of type: TypeReference) -> LocalValue {
    switch type {
    case .nonNull(let inner): present(place, inner)
    default: isGap(place, "null") ? nil : present(place, type)
    }
  }

  private func isGap(_ place: Place, _ purpose: String) -> Bool {
    filling.nulls > 0 && place.number(below: 1000, for: purpose) < Int(filling.nulls * 1000)
  }

  private func present(_ place: Place, _ type: TypeReference) -> LocalValue {
    switch type {
    case .nonNull(let inner): return present(place, inner)
    case .named(let name): return named(place, name)
    case .list(let inner):
      if isGap(place, "empty") { return LocalValue(.list([])) }
      let count = place.lists < 3 ? 1 + place.number(below: 3, for: "count") : 1
      return LocalValue(
        .list(
          (0..<count).map { index in
            var element = place
            element.id = nil
            element.lists += 1
            // Positions in all lists of a field differ, so its objects do, too.
            element.position = element.position * 3 + UInt64(index)
            return sample(element, of: inner)
          }))
    }
  }

  private func named(_ place: Place, _ name: String) -> LocalValue {
    guard let type = types.types[name] else { return nil }
    switch type.kind {
    case .object:
      return object(place, type)
    case .interface, .union:
      let possible = types.possibleTypes(of: name)
      guard !possible.isEmpty else { return nil }
      return named(place, possible[place.number(below: possible.count, for: "type")])
    case .enum:
      guard !type.values.isEmpty else { return nil }
      return .value(type.values[place.number(below: type.values.count, for: "value")].name)
    case .scalar:
      return LocalValue(.json(scalar(place, name)))
    case .inputObject:
      return nil
    }
  }

  private func object(_ place: Place, _ type: SchemaType) -> LocalValue {
    // Without the position, so that the elements of a list get numbers that follow each other.
    let first = (place.hash.value >> 16) % 1000 + 1
    let number = first + place.position
    guard let member = idMember(place.id, number, of: type) else {
      var hash = place.hash
      hash.combine(place.position)
      hash.combine(type.name)
      return LocalValue(.object(["__typename": .value(type.name)]), sample: hash.value)
    }
    return .object(type.name, ["id": LocalValue(.json(member))])
  }

  /// The value of the field `id`, which is that of the request, or depends on a number; nil if the
  /// type has none, or one that does not tell objects apart.
  private func idMember(_ id: String?, _ number: UInt64, of type: SchemaType) -> JSONValue? {
    guard let field = type.field("id"), field.arguments.isEmpty else { return nil }
    let name: String
    switch field.type {
    case .named(let scalar), .nonNull(.named(let scalar)): name = scalar
    default: return nil
    }
    guard ["ID", "String", "Int"].contains(name) else { return nil }
    if id == nil, name == "ID", let values = filling.scalars[name] {
      return values[Int(number % UInt64(values.count))]
    }
    let text = id ?? "\(number)"
    return name == "Int" ? Int32(text).map { .int(Int64($0)) } : .string(text)
  }
}

// MARK: - Scalars

extension Samples {
  private func scalar(_ place: Place, _ name: String) -> JSONValue {
    if let values = filling.scalars[name] {
      return values[place.number(below: values.count, for: "scalar")]
    }
    let number = 1 + place.number(below: 1000, for: "scalar")
    switch name {
    case "Int": return .int(Int64(number))
    case "Float": return .double(Double(number) / 4)
    case "Boolean": return .bool(number.isMultiple(of: 2))
    case "ID": return .string("\(number)")
    case "String": return .string("\(place.field) \(number)")
    case "Date": return .string(date(number))
    case "DateTime", "ISO8601DateTime": return .string("\(date(number))T12:30:00Z")
    case "URI", "URL": return .string("https://example.com/\(number)")
    case "UUID":
      // Version 4: the digits after the second dash begin with 4, those after the third one with 8.
      let digits = String(1_000_000_000_000 + Int64(number)).dropFirst()
      return .string("00000000-0000-4000-8000-\(digits)")
    case "JSON", "JSONObject": return .object([place.field: .int(Int64(number))])
    default: return .string("\(name) \(number)")
    }
  }

  private func date(_ number: Int) -> String {
    let (year, month, day) = (2020 + number % 7, 10 + number % 3, 10 + number % 19)
    return "\(year)-\(month)-\(day)"
  }
}
