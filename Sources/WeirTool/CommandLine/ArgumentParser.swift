import GraphQLValidation
import WeirGeneration

/// An option of a verb: `--name`, or `--name VALUE`.
struct Option: Sendable {
  let name: String
  /// The kind of the value, in capital letters; nil for an option without a value.
  var value: String?
  /// Whether the option may occur several times.
  var isRepeatable = false
  let help: String

  /// The option as the help shows it.
  var usage: String { value.map { "\(name) \($0)" } ?? name }
}

/// The arguments of a verb.
struct Arguments: Sendable {
  /// The arguments that are not options.
  private(set) var operands: [String] = []
  private var values: [String: [String]] = [:]

  /// Parses arguments: options in any order, `--name=value` included. All arguments behind `--` are operands.
  init(_ arguments: some Sequence<String>, options: [Option]) throws(ToolFailure) {
    var rest = Array(arguments)[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        operands += rest
        break
      }
      guard argument.hasPrefix("-"), argument != "-" else {
        operands.append(argument)
        continue
      }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      guard let option = options.first(where: { $0.name == name }) else {
        let known = Suggestions.similar(to: name, among: options.map(\.name))
        throw ToolFailure(.usage, "Unknown option \"\(name)\".\(Suggestions.question(known))")
      }
      try add(option, parts.count > 1 ? String(parts[1]) : nil, &rest)
    }
    guard !operands.contains("") else { throw ToolFailure(.usage, "An argument is empty.") }
  }

  private mutating func add(
    _ option: Option, _ attached: String?, _ rest: inout ArraySlice<String>
  ) throws(ToolFailure) {
    if option.value == nil, attached != nil {
      throw ToolFailure(.usage, "\(option.name) takes no value.")
    }
    if values[option.name] != nil, !option.isRepeatable {
      throw ToolFailure(.usage, "\(option.name) can be given only once.")
    }
    var value = ""
    if let placeholder = option.value {
      guard let next = attached ?? rest.popFirst(), !next.isEmpty else {
        throw ToolFailure(.usage, "\(option.name) needs a value: \(option.name) \(placeholder).")
      }
      value = next
    }
    values[option.name, default: []].append(value)
  }

  /// Whether an option was given.
  func has(_ name: String) -> Bool { values[name] != nil }

  /// The value of an option; nil if it was not given.
  subscript(name: String) -> String? { values[name]?.last }

  /// The values of an option that may occur several times.
  func all(_ name: String) -> [String] { values[name] ?? [] }

  /// The value of an option that has a few values; the first one if it was not given.
  func choice(_ name: String, of choices: [String]) throws(ToolFailure) -> String {
    let value = self[name] ?? choices[0]
    guard choices.contains(value) else {
      throw ToolFailure(
        .usage, "\(name) must be one of: \(choices.joined(separator: ", ")). It is \"\(value)\".")
    }
    return value
  }

  /// Refuses another number of operands.
  func expectOperands(_ counts: ClosedRange<Int>, _ names: String) throws(ToolFailure) {
    guard !counts.contains(operands.count) else { return }
    throw ToolFailure(
      .usage,
      counts.upperBound == 0
        ? "Unexpected argument \"\(operands[0])\"." : "Expected these arguments: \(names).")
  }
}
