internal import WeirSupport

/// The data of a response that arrives in several payloads, as far as they have arrived.
///
/// Unchanged values stay slices of the payload that brought them. Only the objects and lists on the
/// path to a change become nodes, which are then changed in place. So the cost of a payload depends
/// on its own size (and once on the number of children of the nodes on its path), not on the size
/// of the data so far. Writing the data copies slices; parsing the copy again costs more than that.
final class IncrementalData {
  fileprivate final class Object {
    /// Compared by their bytes, as JSON does: `String` does not distinguish all of them.
    var keys: [ExactString] = []
    var values: [ExactString: Node] = [:]
  }

  fileprivate final class List {
    var elements: [Node] = []
  }

  fileprivate enum Node {
    case text(JSON)
    case object(Object)
    case list(List)
  }

  private var root: Node
  /// The maximum depth of a JSON document.
  private static let deepest = JSONParseOptions.deepest

  init(_ data: JSON) {
    root = .text(data)
  }

  /// Merges an object into the object at a path. Members of both are merged recursively if they are
  /// objects or lists, and replaced otherwise.
  func merge(_ patch: JSON, at path: [GraphQLError.PathElement]) throws(StreamFormatError) {
    try change(&root, path[...]) { node, depth throws(StreamFormatError) in
      guard patch.kind == .object, case .object(let object)? = node.expanded else {
        throw .badPath("an object")
      }
      try merge(patch, into: object, depth: depth)
    }
  }

  /// Adds elements to the list at a path, starting at a position; nil for its end. Existing
  /// elements are replaced.
  func append(
    _ items: JSON, at path: [GraphQLError.PathElement], from start: Int? = nil
  ) throws(StreamFormatError) {
    try change(&root, path[...]) { node, _ throws(StreamFormatError) in
      guard case .list(let list)? = node.expanded else { throw .badPath("a list") }
      let start = start ?? list.elements.count
      guard (0...list.elements.count).contains(start) else { throw .badPath("a longer list") }
      let end = min(start + items.count, list.elements.count)
      list.elements.replaceSubrange(start..<end, with: items.elements.map(Node.text))
    }
  }

  /// Adds an element at a path that leads to the end of a list.
  ///
  /// - Returns: false if the path leads elsewhere.
  func append(element: JSON, at path: [GraphQLError.PathElement]) -> Bool {
    guard case .index(let index)? = path.last else { return false }
    var isAppended = false
    try? change(&root, path.dropLast()) { node, _ in
      guard case .list(let list)? = node.expanded, list.elements.count == index else { return }
      list.elements.append(.text(element))
      isAppended = true
    }
    return isAppended
  }

  /// Returns the data as one JSON text.
  func bytes(reserving capacity: Int) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(capacity)
    root.write(to: &output)
    return output
  }

  /// Follows a path, making nodes on the way, and changes the node at its end.
  private func change(
    _ node: inout Node, _ path: ArraySlice<GraphQLError.PathElement>, depth: Int = 0,
    _ body: (inout Node, _ depth: Int) throws(StreamFormatError) -> Void
  ) throws(StreamFormatError) {
    guard depth < Self.deepest else { throw .badPath("a value less deeply nested") }
    if let expanded = node.expanded { node = expanded }
    guard let step = path.first else { return try body(&node, depth) }
    switch (step, node) {
    case (.key(let key), .object(let object)):
      let key = ExactString(key)
      guard var child = object.values[key] else { throw .badPath("an object member") }
      try change(&child, path.dropFirst(), depth: depth + 1, body)
      object.values[key] = child
    case (.index(let index), .list(let list)):
      guard list.elements.indices.contains(index) else { throw .badPath("a list element") }
      var child = list.elements[index]
      try change(&child, path.dropFirst(), depth: depth + 1, body)
      list.elements[index] = child
    default:
      throw .badPath("an object or a list")
    }
  }

  private func merge(
    _ patch: JSON, into object: Object, depth: Int
  ) throws(StreamFormatError) {
    guard depth < Self.deepest else { throw .badPath("a value less deeply nested") }
    for (name, value) in patch.members {
      let key = ExactString(name)
      if let known = object.values[key] {
        object.values[key] = try merged(known, value, depth: depth + 1)
      } else {
        object.values[key] = .text(value)
        object.keys.append(key)
      }
    }
  }

  /// In the form of 2022, a payload repeats what leads to its fields: objects, and lists whose elements
  /// have only the deferred fields.
  private func merged(_ known: Node, _ new: JSON, depth: Int) throws(StreamFormatError) -> Node {
    guard new.kind == .object || new.kind == .array else { return .text(new) }
    switch (known.expanded, new.kind) {
    case (.object(let object)?, .object):
      try merge(new, into: object, depth: depth)
      return .object(object)
    case (.list(let list)?, .array):
      guard depth < Self.deepest else { throw .badPath("a value less deeply nested") }
      for (index, element) in new.elements.enumerated() {
        if index < list.elements.count {
          list.elements[index] = try merged(list.elements[index], element, depth: depth + 1)
        } else {
          list.elements.append(.text(element))
        }
      }
      return .list(list)
    default:
      return .text(new)
    }
  }
}

extension IncrementalData.Node {
  /// The node in a form whose children can be changed; nil if it cannot have children.
  fileprivate var expanded: IncrementalData.Node? {
    guard case .text(let json) = self else { return self }
    switch json.kind {
    case .object:
      let object = IncrementalData.Object()
      for (name, value) in json.members {
        let key = ExactString(name)
        object.keys.append(key)
        object.values[key] = .text(value)
      }
      return .object(object)
    case .array:
      let list = IncrementalData.List()
      list.elements = json.elements.map(IncrementalData.Node.text)
      return .list(list)
    case .null, .bool, .number, .string:
      return nil
    }
  }

  fileprivate func write(to output: inout [UInt8]) {
    switch self {
    case .text(let json):
      output += json.bytes
    case .object(let object):
      output.append(UInt8(ascii: "{"))
      for (position, key) in object.keys.enumerated() {
        if position > 0 { output.append(UInt8(ascii: ",")) }
        output.append(jsonString: key.text)
        output.append(UInt8(ascii: ":"))
        object.values[key]?.write(to: &output)
      }
      output.append(UInt8(ascii: "}"))
    case .list(let list):
      output.append(UInt8(ascii: "["))
      for (position, element) in list.elements.enumerated() {
        if position > 0 { output.append(UInt8(ascii: ",")) }
        element.write(to: &output)
      }
      output.append(UInt8(ascii: "]"))
    }
  }
}

extension StreamFormatError {
  fileprivate static func badPath(_ target: String) -> StreamFormatError {
    StreamFormatError(
      .badPath, "An incremental payload needs \(target) at its path, but finds none.")
  }
}
