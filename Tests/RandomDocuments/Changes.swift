import GraphQLLanguage
import Weir

/// Changed responses: a member that is missing, or has another type.
extension Checks {
  func checkChanges<Data: SelectionData>(
    of response: JSONValue, _ selected: SelectedObject, as type: Data.Type
  ) throws {
    var places = self.places(in: selected, at: [])
    places.shuffle(using: &random)
    for place in places.prefix(25) {
      if place.canBeMissing {
        checkMissing(response, place, as: type)
        if place.isInAbstract { checkTypename(response, place, as: type) }
      }
      checkRetyped(response, place, as: type)
    }
    for _ in 0..<5 { decodeHostile(response, as: type) }
  }

  /// A value in a response.
  struct Place {
    let path: [JSONPathKey]
    /// Whether the value must be there, and may not be null.
    let isRequired: Bool
    /// Whether the object around it may have another type.
    let isInAbstract: Bool
    /// Whether it is a member of an object, not an element of a list.
    let canBeMissing: Bool
    let isLeaf: Bool
    /// Whether its type takes any JSON.
    let takesAnything: Bool
  }

  private func places(in object: SelectedObject, at path: [JSONPathKey]) -> [Place] {
    object.members.sorted { $0.key < $1.key }.flatMap { key, member -> [Place] in
      guard key != "__typename", let value = object.value[key] else { return [] }
      let path = path + [JSONPathKey(key)]
      let names = member.types.map(\.namedType)
      let place = Place(
        path: path, isRequired: member.isRequired, isInAbstract: object.isAbstract,
        canBeMissing: true,
        isLeaf: member.sources.isEmpty,
        takesAnything: names.contains { ["JSON", "Code", "Upload"].contains($0) })
      let elements = (value.array ?? []).indices.map { position in
        Place(
          path: path + [JSONPathKey(position)], isRequired: false, isInAbstract: object.isAbstract,
          canBeMissing: false,
          isLeaf: place.isLeaf,
          takesAnything: place.takesAnything)
      }
      let inner = object.objects(in: key).flatMap { places(in: $0.object, at: path + $0.path) }
      return [place] + elements + inner
    }
  }

  private func checkMissing<Data: SelectionData>(
    _ response: JSONValue, _ place: Place, as type: Data.Type
  ) {
    changes += 1
    do {
      let data: Data = try decode(response.removing(place.path[...]))
      if place.isRequired {
        fail("\(JSONPathKey.text(place.path)) is missing, but \(data) was read")
      }
    } catch let error as JSONDecodingError {
      // The error is at the object that lacks the member, or at the member.
      let isThere = error.path == place.path || error.path == place.path.dropLast()
      if !isThere { fail("\(JSONPathKey.text(place.path)) is missing, but the error is \(error)") }
    } catch {
      fail("\(JSONPathKey.text(place.path)) is missing: \(error)")
    }
  }

  private func checkRetyped<Data: SelectionData>(
    _ response: JSONValue, _ place: Place, as type: Data.Type
  ) {
    guard let value = response[place.path], !place.takesAnything else { return }
    changes += 1
    let other: JSONValue = place.isLeaf && value.array == nil ? ["other": 1] : "text"
    do {
      let data: Data = try decode(response.setting(other, at: place.path[...]))
      fail("\(JSONPathKey.text(place.path)) has another type, but \(data) was read")
    } catch let error as JSONDecodingError where error.path == place.path {
      return
    } catch {
      fail("\(JSONPathKey.text(place.path)) has another type, but the error is \(error)")
    }
  }

  /// An object of a type that the schema did not have is read, or is an error; what was read can be
  /// written and read again.
  private func checkTypename<Data: SelectionData>(
    _ response: JSONValue, _ place: Place, as type: Data.Type
  ) {
    let path = place.path.dropLast() + [JSONPathKey("__typename")]
    guard response[Array(path)] != nil else { return }
    changes += 1
    for changed in [response.setting("Unknown", at: path), response.removing(path)] {
      guard let data: Data = try? decode(changed), let text = try? JSON.encode(data) else {
        continue
      }
      do {
        if try JSON(parsing: text).decode(Data.self) != data {
          fail("\(data) at \(JSONPathKey.text(Array(path))) is read differently after writing")
        }
      } catch {
        fail("\(data) at \(JSONPathKey.text(Array(path))) cannot be read after writing: \(error)")
      }
    }
  }

  /// Many changes at once. Whatever it means, it does not trap.
  private func decodeHostile<Data: SelectionData>(_ response: JSONValue, as type: Data.Type) {
    changes += 1
    var hostile = response.changed(&random)
    if Bool.random(using: &random) { hostile = hostile.changed(&random) }
    guard let data: Data = try? decode(hostile) else { return }
    _ = try? JSON.encode(data)
  }

  private func decode<Data: SelectionData>(_ value: JSONValue) throws -> Data {
    try JSON(value).decode()
  }
}

// MARK: - Paths

extension JSONValue {
  subscript(path: [JSONPathKey]) -> JSONValue? {
    var value = self
    for key in path {
      guard let next = key.intValue.map({ value[$0] }) ?? value[key.stringValue] else { return nil }
      value = next
    }
    return value
  }

  /// Returns the value with another one at a path.
  func setting(_ value: JSONValue, at path: ArraySlice<JSONPathKey>) -> JSONValue {
    replacing(path) { _ in value }
  }

  /// Returns the value without the member at a path.
  func removing(_ path: ArraySlice<JSONPathKey>) -> JSONValue {
    replacing(path) { _ in Optional.none }
  }

  private func replacing(
    _ path: ArraySlice<JSONPathKey>, _ change: (JSONValue) -> JSONValue?
  ) -> JSONValue {
    guard let key = path.first else { return change(self) ?? .null }
    switch self {
    case .object(var members):
      guard let member = members[key.stringValue] else { return self }
      members[key.stringValue] =
        path.count == 1 ? change(member) : member.replacing(path.dropFirst(), change)
      return .object(members)
    case .array(var elements):
      guard let position = key.intValue, elements.indices.contains(position) else { return self }
      elements[position] = elements[position].replacing(path.dropFirst(), change)
      return .array(elements)
    default: return self
    }
  }

  /// Returns the value with random changes in it.
  func changed(_ random: inout Numbers) -> JSONValue {
    if Int.random(in: 0..<24, using: &random) == 0 {
      return [
        .null, .bool(true), .int(.max), .double(1e300), "", [], [:], [["__typename": "Query"]],
      ]
      .randomElement(using: &random) ?? .null
    }
    switch self {
    case .object(let members):
      return .object(
        JSONObject(
          members.compactMap { key, member in
            Int.random(in: 0..<24, using: &random) == 0 ? nil : (key, member.changed(&random))
          }))
    case .array(let elements):
      return .array(elements.map { $0.changed(&random) })
    default: return self
    }
  }
}

extension JSONPathKey {
  static func text(_ path: [JSONPathKey]) -> String {
    path.map(\.description).joined(separator: ".")
  }
}
