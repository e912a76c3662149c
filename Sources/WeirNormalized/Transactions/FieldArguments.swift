import Weir

/// Reads and writes the arguments in storage keys.
enum FieldArguments {
  /// Whether a storage key is a field's, with these arguments unless they are nil.
  static func isVariant(_ key: String, of name: String, arguments: JSONValue?) -> Bool {
    guard key.utf8.prefix(while: { $0 != 40 && $0 != 64 }).elementsEqual(name.utf8) else {
      return false
    }
    guard let arguments else { return true }
    let exact = ExactString(storageKey(name, arguments))
    return ExactString(key) == exact
      || PageKey.list(of: key, name: name) != nil
        && ExactString(storageKey(name, self.arguments(in: key, name: name))) == exact
  }

  /// The storage key of a field with arguments that are given as an object.
  static func storageKey(_ name: String, _ arguments: JSONValue) -> String {
    guard let object = arguments.object, !object.isEmpty,
      let bytes = try? arguments.canonicalBytes()
    else { return name }
    return "\(name)(\(String(decoding: bytes, as: UTF8.self)))"
  }

  /// The arguments in a storage key, as an object.
  static func arguments(in storageKey: String, name: String) -> JSONValue {
    if let (page, list) = PageKey.arguments(of: storageKey, name: name) {
      var members = (try? JSON(parsing: list))?.value.object ?? [:]
      for (key, value) in (try? JSON(parsing: page))?.value.object ?? [:] { members[key] = value }
      return .object(members)
    }
    let text = storageKey.dropFirst(name.count + 1).dropLast()
    return (try? JSON(parsing: Array(text.utf8)))?.value ?? [:]
  }
}
