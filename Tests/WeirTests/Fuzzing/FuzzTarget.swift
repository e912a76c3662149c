import Foundation
import GraphQLLanguage

@testable import Weir

/// The conditions that hold for any bytes. libFuzzer looks for bytes that break them (`.ci/fuzz`);
/// its finds and its seeds are in `Corpus`, and each of them is a test.
enum FuzzTarget: String, CaseIterable, Sendable {
  case graphql, json, events, multipart, socket

  struct Violation: Error, CustomStringConvertible {
    let description: String
  }

  /// - Throws: ``Violation`` if a condition does not hold.
  func check(_ bytes: [UInt8]) throws {
    switch self {
    case .graphql: try checkGraphQL(String(decoding: bytes, as: UTF8.self))
    case .json: try checkJSON(bytes)
    case .events: try checkEvents(bytes)
    case .multipart: try checkMultipart(bytes)
    case .socket: try checkSocket(bytes)
    }
  }

  func expect(_ isTrue: Bool, _ what: @autoclosure () -> String) throws {
    if !isTrue { throw Violation(description: "\(self): \(what())") }
  }
}

// MARK: - GraphQL

extension FuzzTarget {
  /// A parsed document prints as text that parses to the same document. An operation made from it
  /// has valid text, which does not change when it is parsed again.
  private func checkGraphQL(_ text: String) throws {
    guard let document = try? Document(parsing: text) else { return }
    for printed in [document.canonicalText, document.minifiedText] {
      let again = try? Document(parsing: printed)
      try expect(again == document, "printed as another document: \(printed)")
    }
    let canonical = document.canonicalText
    let again = try? Document(parsing: canonical)
    try expect(again.map { same($0.canonicalText, canonical) } == true, "printing is not stable")
    for name in Set(document.operations.map(\.name)) where document.operations.count < 20 {
      let operation = GraphQLOperation(GraphQLDocument(document), name: name)
      guard operation.defect == nil else { continue }
      let sent = GraphQLOperation(GraphQLDocument(operation.text), name: name)
      try expect(sent.defect == nil, "the text that is sent is not valid: \(operation.text)")
      try expect(same(sent.text, operation.text), "__typename is added twice: \(operation.text)")
    }
  }

  /// Compares bytes, because `==` treats texts as equal that use different scalars.
  private func same(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }
}

// MARK: - JSON

extension FuzzTarget {
  /// A value is read back equally from every form in which it is written. Foundation reads the same
  /// value or rejects it.
  private func checkJSON(_ bytes: [UInt8]) throws {
    guard let json = try? JSON(parsing: bytes) else { return }
    let value = json.value
    let canonical = json.canonicalBytes
    try expect((try? JSON(parsing: json.compactBytes).value) == value, "compact text")
    try expect((try? JSON(parsing: canonical).value) == value, "canonical text")
    try expect((try? JSON(parsing: canonical).canonicalBytes) == canonical, "not stable")
    try expect((try? value.canonicalBytes()) == canonical, "canonical text of the value")
    try expect((try? JSON(value)) == json, "value as JSON")
    try expect((try? json.decode(JSONValue.self)) == value, "decoding")
    try expect((try? JSON(parsing: Array(json.bytes))) == json, "source bytes")
    for (key, member) in json.members {
      try expect(json[key]?.isIdentical(to: member) == true, "member \(key)")
    }
    try expect(numbersAreExact(json), "a number")
    guard
      let other = try? JSONSerialization.jsonObject(
        with: Data(bytes), options: .fragmentsAllowed)
    else { return }
    try expect(agrees(value, other), "Foundation reads \(other)")
  }

  /// Every number is the nearest double, as the standard library computes it.
  private func numbersAreExact(_ json: JSON) -> Bool {
    switch json.kind {
    case .number: json.double == Double(String(decoding: json.bytes, as: UTF8.self))
    case .array: json.elements.allSatisfy(numbersAreExact)
    case .object: json.members.allSatisfy { numbersAreExact($0.value) }
    case .null, .bool, .string: true
    }
  }

  func agrees(_ value: JSONValue, _ other: Any) -> Bool {
    switch value {
    case .null: return other is NSNull
    case .bool(let bool): return (other as? NSNumber)?.boolValue == bool
    case .int(let int): return (other as? NSNumber)?.int64Value == int
    case .uint(let uint): return (other as? NSNumber)?.uint64Value == uint
    case .double(let double):
      // Foundation on Linux is off by some bits in long numbers, and by one in the smallest.
      let difference = ((other as? NSNumber)?.doubleValue ?? .infinity) - double
      return abs(difference) <= abs(double) * 1e-12 + 4 * .leastNonzeroMagnitude
    case .string(let string):
      return (other as? String)?.unicodeScalars.elementsEqual(string.unicodeScalars) == true
    case .array(let elements):
      guard let others = other as? [Any], elements.count == others.count else { return false }
      return zip(elements, others).allSatisfy { agrees($0, $1) }
    case .object(let object):
      guard let others = other as? [String: Any] else { return false }
      return object.allSatisfy { key, value in others[key].map { agrees(value, $0) } ?? false }
    }
  }
}
