import GraphQLLanguage
import GraphQLValidation
import Weir

extension Execution {
  /// The fields and the request for which a value is completed, and its path.
  struct Place: Sendable {
    let fields: [Field]
    let request: FieldRequest
    var path: [GraphQLError.PathElement]

    var selectionSets: [SelectionSet] { fields.compactMap(\.selectionSet) }
  }

  /// Section 6.4.3, "CompleteValue". Without a type, the form of the value decides.
  func complete(_ value: LocalValue, as type: TypeReference?, _ place: Place) async -> Outcome {
    switch value.content {
    case .field(let resolve):
      do {
        return await complete(try await resolve(place.request), as: type, place)
      } catch {
        return failed(error, place, isNonNull: type?.isNonNull ?? false)
      }
    case .failure(let error):
      return failed(error, place, isNonNull: type?.isNonNull ?? false)
    case .json, .list, .object:
      break
    }
    guard let type else { return await completeUntyped(value, place) }
    switch type {
    case .nonNull(let inner):
      return nonNull(await complete(value, as: inner, place), place)
    case _ where value.isNull:
      return Outcome(value: .null)
    case .list(let inner):
      guard let elements = value.elements else {
        return failed("Expected a list for field \"\(coordinate(place))\".", place)
      }
      return await list(elements, of: inner, place)
    case .named(let name):
      return await complete(value, as: name, place)
    }
  }

  private func complete(_ value: LocalValue, as name: String, _ place: Place) async -> Outcome {
    switch schema?.types.types[name]?.kind {
    case .object:
      guard value.isObject else {
        return failed("Expected an object for field \"\(coordinate(place))\".", place)
      }
      return await members(
        of: value, typename: name, selectionSets: place.selectionSets, path: place.path)
    case .interface, .union:
      return await completeAbstract(value, as: name, place)
    case .scalar, .enum, .inputObject, nil:
      guard let leaf = leaf(value.json, of: name) else {
        return failed("\(name) cannot represent the value of \"\(coordinate(place))\".", place)
      }
      return Outcome(value: leaf)
    }
  }

  /// Section 6.4.3, "ResolveAbstractType".
  private func completeAbstract(
    _ value: LocalValue, as name: String, _ place: Place
  ) async -> Outcome {
    let typename = value["__typename"]?.json.string ?? resolvers.typenames[name]?(value.json)
    guard let typename else {
      return failed(
        "The object for field \"\(coordinate(place))\" of abstract type \"\(name)\" has no "
          + "__typename; add one, or a resolver with `typename(of:)`.", place)
    }
    guard schema?.types.types[typename]?.kind == .object,
      schema?.isObject(typename, of: name) == true
    else {
      return failed("\"\(typename)\" is not a possible type of \"\(name)\".", place)
    }
    return await members(
      of: value, typename: typename, selectionSets: place.selectionSets, path: place.path)
  }

  private func completeUntyped(_ value: LocalValue, _ place: Place) async -> Outcome {
    if value.isNull { return Outcome(value: .null) }
    if let elements = value.elements { return await list(elements, of: nil, place) }
    if place.selectionSets.isEmpty {
      return writable(value.json).map { Outcome(value: $0) }
        ?? failed("JSON cannot represent the value of \"\(coordinate(place))\".", place)
    }
    guard value.isObject else {
      return failed(
        "Field \"\(coordinate(place))\" has a selection of subfields, but its value is not an object.",
        place)
    }
    return await members(
      of: value, typename: value["__typename"]?.json.string,
      selectionSets: place.selectionSets, path: place.path)
  }

  private func list(
    _ elements: [LocalValue], of type: TypeReference?, _ place: Place
  ) async -> Outcome {
    let outcomes = await outcomes(count: elements.count, isSerial: place.selectionSets.isEmpty) {
      position in
      var element = place
      element.path.append(.index(position))
      return await complete(elements[position], as: type, element)
    }
    let values = outcomes.compactMap(\.value)
    return Outcome(
      value: values.count == outcomes.count ? .array(values) : .null,
      errors: outcomes.flatMap(\.errors))
  }

  /// Section 6.4.4, "Handling Execution Errors": adds an error for a null without one.
  private func nonNull(_ outcome: Outcome, _ place: Place) -> Outcome {
    guard outcome.value?.isNull ?? true else { return outcome }
    guard outcome.errors.isEmpty else { return Outcome(value: nil, errors: outcome.errors) }
    return failed(
      GraphQLError(
        message: "Cannot return null for non-nullable field \(coordinate(place))."), place,
      isNonNull: true)
  }

  /// Result coercion of leaves (sections 3.5 and 3.9); nil if the value does not fit the type.
  ///
  /// `Optional.none` is spelled out where `nil` could also be the literal for JSON's null.
  private func leaf(_ value: JSONValue, of name: String) -> JSONValue? {
    switch name {
    case "Int": return value.int32.map { .int($0) }
    case "Float": return value.double?.isFinite == true ? value : Optional.none
    case "String", "ID":
      switch value {
      case .string: return value
      case .int(let int): return .string(String(int))
      case .uint(let int): return .string(String(int))
      case .bool(let bool) where name == "String": return .string(String(bool))
      case .double(let double) where name == "String": return .string("\(double)")
      case .null, .bool, .double, .array, .object: return nil
      }
    case "Boolean": return value.bool.map { .bool($0) }
    default:
      guard let type = schema?.types.types[name], type.kind == .enum else {
        return writable(value)
      }
      return value.string.flatMap(type.value) != nil ? value : Optional.none
    }
  }

  /// Returns a value unless JSON cannot represent it, as a number that is not finite.
  private func writable(_ value: JSONValue) -> JSONValue? {
    (try? JSON(value)).map { _ in value }
  }

  private func coordinate(_ place: Place) -> String {
    [place.request.typename, place.request.field].compactMap(\.self).joined(separator: ".")
  }

  private func failed(_ message: String, _ place: Place) -> Outcome {
    failed(GraphQLError(message: message), place, isNonNull: false)
  }

  private func failed(_ error: any Error, _ place: Place, isNonNull: Bool) -> Outcome {
    failed(error, place.fields, place.path, isNonNull: isNonNull)
  }
}
