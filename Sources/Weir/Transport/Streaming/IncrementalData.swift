/// The data of a response that comes in several payloads, as far as they are there.
///
/// What no payload has changed stays what it is, a slice of the text that brought it. Only objects
/// and lists on the way to a change become nodes, which are then changed in place. So a payload
/// costs what it brings (and once the children of what it reaches), not what is there already.
/// Writing the whole copies slices; parsing that again is the larger part of its price.
final class IncrementalData {
  fileprivate final class Object {
    var keys: [String] = []
    var values: [String: Node] = [:]
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
  /// Deeper, no document could be made of it.
  private static let deepest = JSONParseOptions.deepest

  init(_ data: JSON) {
    root = .text(data)
  }

  /// Merges an object into the object at a place: members that both have are merged in turn if they
  /// are objects, else replaced.
  func merge(_ patch: JSON, at path: [GraphQLError.PathElement]) throws(StreamFormatError) {
    try change(&root, path[...]) { node, depth throws(StreamFormatError) in
      guard patch.kind == .object, case .object(let object)? = node.expanded else {
        throw .badPath("an object")
      }
      try merge(patch, into: object, depth: depth)
    }
  }

  /// Adds elements to the list at a place, from a position on; nil for its end. An element that is
  /// there already is replaced.
  func append(
    _ items: JSON, at path: [GraphQLError.PathElement], from start: Int? = nil
  ) throws(StreamFormatError) {
    try change(&root, path[...]) { node, _ throws(StreamFormatError) in
      guard case .list(let list)? = node.expanded else { throw .badPath("a list") }
      var index = start ?? list.elements.count
      guard (0...list.elements.count).contains(index) else { throw .badPath("a list so long") }
      for item in items.elements {
        if index < list.elements.count {
          list.elements[index] = .text(item)
        } else {
          list.elements.append(.text(item))
        }
        index += 1
      }
    }
  }

  /// All that is there, as one JSON text.
  func bytes(reserving capacity: Int) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(capacity)
    root.write(to: &output)
    return output
  }

  /// Walks to a place, making nodes on the way, and changes what is there.
  private func change(
    _ node: inout Node, _ path: ArraySlice<GraphQLError.PathElement>, depth: Int = 0,
    _ body: (inout Node, _ depth: Int) throws(StreamFormatError) -> Void
  ) throws(StreamFormatError) {
    guard depth < Self.deepest else { throw .badPath("a place so deep") }
    if let expanded = node.expanded { node = expanded }
    guard let step = path.first else { return try body(&node, depth) }
    switch (step, node) {
    case (.key(let key), .object(let object)):
      guard var child = object.values[key] else { throw .badPath("such a member") }
      try change(&child, path.dropFirst(), depth: depth + 1, body)
      object.values[key] = child
    case (.index(let index), .list(let list)):
      guard list.elements.indices.contains(index) else { throw .badPath("such an element") }
      var child = list.elements[index]
      try change(&child, path.dropFirst(), depth: depth + 1, body)
      list.elements[index] = child
    default:
      throw .badPath("such a place")
    }
  }

  private func merge(
    _ patch: JSON, into object: Object, depth: Int
  ) throws(StreamFormatError) {
    guard depth < Self.deepest else { throw .badPath("a place so deep") }
    for (key, value) in patch.members {
      if value.kind == .object, case .object(let child)? = object.values[key]?.expanded {
        object.values[key] = .object(child)
        try merge(value, into: child, depth: depth + 1)
      } else if object.values.updateValue(.text(value), forKey: key) == nil {
        object.keys.append(key)
      }
    }
  }
}

extension IncrementalData.Node {
  /// The same as a node whose children can be changed; nil for what has no children.
  fileprivate var expanded: IncrementalData.Node? {
    guard case .text(let json) = self else { return self }
    switch json.kind {
    case .object:
      let object = IncrementalData.Object()
      for (key, value) in json.members {
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
        output.append(jsonString: key)
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
  fileprivate static func badPath(_ what: String) -> StreamFormatError {
    StreamFormatError(.badPath, "A payload adds to \(what), but there is none.")
  }
}
