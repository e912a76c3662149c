import GraphQLLanguage

/// The variables that an operation declares, to compare the given ones with.
struct DeclaredVariables: Sendable {
  private struct Variable: Sendable {
    let name: [UInt8]
    /// Whether a value must be given: the type is not nullable, and there is no default value.
    let isRequired: Bool
    let type: TypeReference
  }

  private let variables: [Variable]
  private let requiredCount: Int
  /// For messages: "query Feed".
  private let operation: String

  init(_ operation: OperationDefinition) {
    variables = operation.variableDefinitions.map { definition in
      var isRequired = false
      if case .nonNull = definition.type { isRequired = definition.defaultValue == nil }
      return Variable(
        name: Array(definition.name.utf8), isRequired: isRequired, type: definition.type)
    }
    requiredCount = variables.count { $0.isRequired }
    self.operation = operation.kind.rawValue + (operation.name.map { " \($0)" } ?? "")
  }

  /// Removes the variables that the operation does not declare.
  ///
  /// Costs one pass over the bytes, without an allocation unless something is wrong.
  ///
  /// - Returns: a diagnostic if there were any.
  /// - Throws: an error with the code `variables` if a required variable is absent.
  func check(
    _ given: inout CanonicalVariables
  ) throws(OperationError) -> ClientDiagnostic? {
    if given.isEmpty, requiredCount == 0 { return nil }
    var members = TopLevelMembers(bytes: given.bytes)
    var next = 0
    var (requiredFound, undeclaredFound) = (0, false)
    while let member = members.next() {
      guard let index = index(of: member.name, in: given.bytes, from: next) else {
        undeclaredFound = true
        continue
      }
      next = index + 1
      if variables[index].isRequired { requiredFound += 1 }
    }
    if requiredFound < requiredCount { throw absence(in: given.bytes) }
    return undeclaredFound ? removeUndeclared(from: &given) : nil
  }

  /// Finds a variable; in most cases they come in the declared order.
  private func index(of name: Range<Int>, in bytes: [UInt8], from next: Int) -> Int? {
    if next < variables.count, bytes[name].elementsEqual(variables[next].name) { return next }
    return variables.firstIndex { bytes[name].elementsEqual($0.name) }
  }

  private func absence(in bytes: [UInt8]) -> OperationError {
    var members = TopLevelMembers(bytes: bytes)
    var given: Set<[UInt8]> = []
    while let member = members.next() { given.insert(Array(bytes[member.name])) }
    let absent = variables.filter { $0.isRequired && !given.contains($0.name) }
      .map { "$\(String(decoding: $0.name, as: UTF8.self)) of type \($0.type.canonicalText)" }
    return .variables(
      "The \(operation) requires a value for \(absent.joined(separator: ", ")). It was not sent.")
  }

  private func removeUndeclared(from given: inout CanonicalVariables) -> ClientDiagnostic {
    var members = TopLevelMembers(bytes: given.bytes)
    var kept: [UInt8] = []
    var removed: [String] = []
    while let member = members.next() {
      if index(of: member.name, in: given.bytes, from: 0) == nil {
        removed.append(String(decoding: given.bytes[member.name], as: UTF8.self))
      } else {
        kept += (kept.isEmpty ? [] : [UInt8(ascii: ",")]) + given.bytes[member.all]
      }
    }
    given.bytes = [UInt8(ascii: "{")] + kept + [UInt8(ascii: "}")]
    given.uploads.removeAll { upload in
      removed.contains(String(upload.path.prefix { $0 != "." }))
    }
    return ClientDiagnostic(
      code: .variables,
      message: "The \(operation) does not declare the variables \(removed.joined(separator: ", "))."
        + " They are not sent: declare them in the document, or do not pass them.")
  }
}

extension ClientDiagnostic.Code {
  /// An operation got variables that its document does not declare.
  public static let variables = ClientDiagnostic.Code(rawValue: "variables")
}

/// The members of an object in canonical JSON, without those of nested objects.
private struct TopLevelMembers {
  let bytes: [UInt8]
  /// The position of the next member's opening quote.
  private var position = 1

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The positions of the next member and of its name, without quotes.
  mutating func next() -> (name: Range<Int>, all: Range<Int>)? {
    guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { return nil }
    let start = position
    let nameEnd = endOfString(from: start)
    var (end, depth) = (nameEnd + 1, 0)
    while end < bytes.count {
      switch bytes[end] {
      case UInt8(ascii: "\""): end = endOfString(from: end)
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: ",") where depth == 0, UInt8(ascii: "}") where depth == 0:
        position = end + 1
        return (start + 1..<nameEnd, start..<end)
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
      end += 1
    }
    return nil
  }

  /// The position of the closing quote.
  private func endOfString(from quote: Int) -> Int {
    var end = quote + 1
    while bytes[end] != UInt8(ascii: "\"") {
      end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    return end
  }
}
