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

  private static let few = 16

  init(_ operation: OperationDefinition) {
    variables = operation.variableDefinitions.map { definition in
      var isRequired = false
      if case .nonNull = definition.type { isRequired = definition.defaultValue == nil }
      return Variable(
        name: Array(definition.name.utf8), isRequired: isRequired, type: definition.type)
    }
    requiredCount = variables.count { $0.isRequired }
    self.operation = operation.kind.rawValue + (operation.name.map { " \($0.prefix(100))" } ?? "")
  }

  /// Whether the operation has a variable that must be given.
  var requiresValues: Bool { requiredCount > 0 }

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
    // Proof: the span is used only within the closure that receives the buffer.
    let (requiredFound, undeclaredFound) = given.bytes.withBytes {
      find(in: Span(_unsafeElements: $0))
    }
    if requiredFound < requiredCount { throw absence(in: given.bytes) }
    return undeclaredFound ? removeUndeclared(from: &given) : nil
  }

  /// Returns how many of the required variables are among the given ones, and whether one of these
  /// is not declared.
  private func find(in bytes: Span<UInt8>) -> (required: Int, undeclared: Bool) {
    var members = TopLevelMembers()
    var next = 0
    var (required, undeclared) = (0, false)
    var positions: [[UInt8]: Int]?
    while let member = members.next(in: bytes) {
      let isNext = next < variables.count && isVariable(next, member.name, in: bytes)
      guard let index = isNext ? next : search(member.name, in: bytes, &positions) else {
        undeclared = true
        continue
      }
      next = index + 1
      if variables[index].isRequired { required += 1 }
    }
    return (required, undeclared)
  }

  /// Finds a variable that does not come in the declared order. Not inlined, because nearly all do.
  /// The positions of more than a few variables by name are made when they are needed; a property for them
  /// would cost every check.
  @inline(never)
  private func search(
    _ name: Range<Int>, in bytes: Span<UInt8>, _ positions: inout [[UInt8]: Int]?
  ) -> Int? {
    guard variables.count > Self.few else {
      return variables.indices.first { isVariable($0, name, in: bytes) }
    }
    let known =
      positions ?? Dictionary(zip(variables.map(\.name), variables.indices)) { first, _ in first }
    positions = known
    return known[name.map { bytes[$0] }]
  }

  private func isVariable(_ index: Int, _ name: Range<Int>, in bytes: Span<UInt8>) -> Bool {
    guard variables[index].name.count == name.count else { return false }
    for (offset, byte) in variables[index].name.enumerated()
    where byte != bytes[name.lowerBound + offset] {
      return false
    }
    return true
  }

  private func absence(in bytes: CompactBytes) -> OperationError {
    let given = Set(TopLevelMembers.all(in: bytes).map(\.name))
    let absent = variables.filter { $0.isRequired && !given.contains($0.name) }
      .map { "$\(String(decoding: $0.name, as: UTF8.self)) of type \($0.type.canonicalText)" }
    return .variables(
      "The \(operation) requires a value for \(absent.joined(separator: ", ")). It was not sent.")
  }

  private func removeUndeclared(from given: inout CanonicalVariables) -> ClientDiagnostic {
    var kept: [String] = []
    var removed: [[UInt8]] = []
    let declared = Set(variables.map(\.name))
    for (name, text) in TopLevelMembers.all(in: given.bytes) {
      if declared.contains(name) { kept.append(text) } else { removed.append(name) }
    }
    let uploads = Set(removed)
    given.bytes = CompactBytes("{" + kept.joined(separator: ",") + "}")
    given.uploads.removeAll { upload in
      uploads.contains(Array(upload.path.prefix { $0 != "." }.utf8))
    }
    return ClientDiagnostic(
      code: .variables,
      message: "The \(operation) does not declare the variables \(Self.list(removed))."
        + " They are not sent: declare them in the document, or do not pass them.")
  }

  /// The first few names, and the beginnings of long ones: they may come from outside.
  private static func list(_ names: [[UInt8]]) -> String {
    let shown = names.prefix(10).map { String(decoding: $0.prefix(100), as: UTF8.self) }
    let list = shown.joined(separator: ", ")
    return names.count > 10 ? "\(list) and \(names.count - 10) more" : list
  }
}

extension ClientDiagnostic.Code {
  /// An operation got variables that its document does not declare.
  public static let variables = ClientDiagnostic.Code(rawValue: "variables")
}

/// The members of an object in canonical JSON, without those of nested objects.
private struct TopLevelMembers {
  /// The position of the next member's opening quote.
  private var position = 1

  /// Returns all members with their names.
  static func all(in bytes: CompactBytes) -> [(name: [UInt8], text: String)] {
    bytes.withBytes { buffer in
      var members = TopLevelMembers()
      var found: [(name: [UInt8], text: String)] = []
      // Proof: the span is used only within the closure that receives the buffer.
      while let member = members.next(in: Span(_unsafeElements: buffer)) {
        found.append(
          (Array(buffer[member.name]), String(decoding: buffer[member.all], as: UTF8.self)))
      }
      return found
    }
  }

  /// The positions of the next member and of its name, without quotes.
  mutating func next(in bytes: Span<UInt8>) -> (name: Range<Int>, all: Range<Int>)? {
    guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { return nil }
    let start = position
    let nameEnd = Self.endOfString(from: start, in: bytes)
    var (end, depth) = (nameEnd + 1, 0)
    while end < bytes.count {
      switch bytes[end] {
      case UInt8(ascii: "\""): end = Self.endOfString(from: end, in: bytes)
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
  private static func endOfString(from quote: Int, in bytes: Span<UInt8>) -> Int {
    var end = quote + 1
    while bytes[end] != UInt8(ascii: "\"") {
      end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    return end
  }
}
