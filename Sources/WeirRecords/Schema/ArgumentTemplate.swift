import GraphQLLanguage
import Weir

/// A field with its arguments as written, from which its storage key is made.
///
/// The key is the name followed by the arguments as canonical JSON, with variables and their
/// defaults resolved (GraphQL specification, section 6.4.1). Arguments are sorted by name, so their
/// order does not matter. An argument whose variable is absent is absent; one that is `null` is
/// `null`. Because the JSON is escaped, two different sets of arguments never share a key.
package struct ArgumentTemplate: Hashable {
  let name: String
  /// Sorted by name.
  let arguments: [ArgumentValue]
  /// Set if the field's values are pages of a list.
  let pages: PageKey?

  package struct ArgumentValue: Hashable {
    let name: String
    let value: Value
    /// The name as it precedes the value in a storage key.
    let label: [UInt8]

    init(_ argument: Argument) {
      name = argument.name
      value = argument.value
      label = CanonicalJSON.string(argument.name) + [UInt8(ascii: ":")]
    }
  }

  init(_ field: Field, counting arguments: Set<String>? = nil, pages: PageKey? = nil) {
    name = field.name
    self.pages = pages
    self.arguments = field.arguments
      .filter { pages != nil || arguments?.contains($0.name) ?? true }
      .map(ArgumentValue.init)
      .sorted { $0.name < $1.name }
  }

  var isConstant: Bool { arguments.allSatisfy(\.value.isConstant) }

  func storageKey(_ variables: VariableValues) -> String {
    if let pages { return storageKey(of: pages, variables) }
    var key: [UInt8] = []
    key.reserveCapacity(64)
    key += name.utf8
    key.append(UInt8(ascii: "("))
    let start = key.count
    append(arguments, variables, to: &key)
    guard key.count > start else { return name }
    key.append(UInt8(ascii: ")"))
    return String(decoding: key, as: UTF8.self)
  }

  private func storageKey(of pages: PageKey, _ variables: VariableValues) -> String {
    var key = Array("\(name)@".utf8)
    if let label = pages.label { key += CanonicalJSON.string(label) }
    key.append(UInt8(ascii: "("))
    let others = arguments.filter { argument in
      !pages.pageArguments.contains(argument.name)
        && (pages.counts(argument.name) || pages.selectsPage(variables.resolved(argument.value)))
    }
    append(others, variables, to: &key)
    key += [UInt8(ascii: ")"), UInt8(ascii: "(")]
    append(arguments.filter { pages.pageArguments.contains($0.name) }, variables, to: &key)
    key.append(UInt8(ascii: ")"))
    return String(decoding: key, as: UTF8.self)
  }

  /// Appends arguments as an object, with variables resolved; nothing if all are absent.
  private func append(
    _ arguments: [ArgumentValue], _ variables: VariableValues, to key: inout [UInt8]
  ) {
    let start = key.count
    for argument in arguments {
      let end = key.count
      key.append(end == start ? UInt8(ascii: "{") : UInt8(ascii: ","))
      key += argument.label
      if !variables.write(argument.value, to: &key) { key.removeSubrange(end...) }
    }
    if key.count > start { key.append(UInt8(ascii: "}")) }
  }
}

/// Makes parts of canonical JSON.
enum CanonicalJSON {
  /// Writes a number as a variable of the same value. One with more digits than a `Double` stays as it is.
  static func float(_ literal: String) -> [UInt8] {
    let text = Array(literal.utf8)
    guard let double = Double(literal), let short = try? JSONValue.double(double).canonicalBytes(),
      let (one, other) = try? (JSON(parsing: text), JSON(parsing: short)),
      one.isEqualInAllDigits(to: other)
    else { return text }
    return short
  }

  static func string(_ text: String) -> [UInt8] {
    // A string is always valid JSON; the fallback is never used.
    (try? JSONValue.string(text).canonicalBytes()) ?? Array("\"\"".utf8)
  }
}
