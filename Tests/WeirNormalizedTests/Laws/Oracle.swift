import Weir

/// The normalized store in its simplest form: dictionaries of dictionaries, without sharing and
/// versions. An object without a key is a record under its path.
struct Oracle {
  indirect enum Node: Hashable {
    case leaf(JSONValue)
    /// An entity's key or an embedded object's path.
    case object(String)
    case list([Node])
    /// Unknown, because the response had an error in its place.
    case hole
  }

  struct Record: Hashable {
    var type: String
    var fields: [String: Node] = [:]
  }

  /// A field that a read depends on, with its content.
  struct Dependency: Hashable {
    let record: String
    let field: String
    let value: Node?
    let type: String?
  }

  var records: [String: Record] = ["Query": Record(type: "Query")]
  /// The time of the last data that wrote each record.
  var arrivals: [String: Int] = [:]
}

// MARK: - Writing

extension Oracle {
  mutating func write(
    _ data: JSONValue, errors: [GraphQLError], _ operation: RandomOperation,
    isMutation: Bool = false, arrival: Int = 0
  ) {
    var batch = Batch(operation: operation, failed: Set(errors.map(\.path)), arrival: arrival)
    let root = isMutation ? "Mutation" : "Query"
    write(data, operation.selections, into: root, type: "Query", [], &batch)
    var next = 0
    while next < batch.late.count {
      set(batch.late[next], &batch)
      next += 1
    }
    if isMutation { remove(below: root) }
  }

  private struct Batch {
    let operation: RandomOperation
    let failed: Set<[GraphQLError.PathElement]>
    let arrival: Int
    var lists: Set<String> = []
    /// The values without keys in mixed fields, which are written last.
    var late: [Value] = []
    /// The keys of objects by their paths.
    var keys: [String: String] = [:]
    /// The objects that were written without a key, by their paths.
    var keyless: [String: [Value]] = [:]
  }

  /// The value of a field.
  private struct Value {
    let value: JSONValue
    let selections: [RandomSelection]
    let record: String
    let field: String
    let path: [GraphQLError.PathElement]
  }

  /// Removes the record at a path and everything below it.
  mutating func remove(below path: String) {
    records[path] = nil
    removeContents(of: path)
  }

  private mutating func removeContents(of path: String) {
    for key in records.keys where key.hasPrefix(path + "/") { records[key] = nil }
  }

  private mutating func write(
    _ object: JSONValue, _ selections: [RandomSelection], into key: String, type: String,
    _ path: [GraphQLError.PathElement], _ batch: inout Batch
  ) {
    arrivals[key] = max(arrivals[key] ?? 0, batch.arrival)
    if records[key]?.type != type {
      remove(below: key)
      records[key] = Record(type: type)
    }
    for field in batch.operation.fields(of: selections, on: type) where field.name != "__typename" {
      let path = path + [.key(field.key)]
      guard let value = object[field.key], !batch.failed.contains(path) else { continue }
      guard let selections = field.selections else {
        records[key]?.fields[field.storageKey] = .leaf(value)
        continue
      }
      let content = Value(
        value: value, selections: selections, record: key, field: field.storageKey, path: path)
      if batch.operation.mixedFields.contains(field.name), isKeyless(value, selections, batch) {
        batch.late.append(content)
      } else {
        set(content, &batch)
      }
    }
  }

  private mutating func set(_ content: Value, _ batch: inout Batch) {
    let (key, field) = (content.record, content.field)
    let node = node(
      content.value, content.selections, place: "\(key)/\(field)", old: records[key]?.fields[field],
      owner: (key, field), content.path, &batch)
    records[key]?.fields[field] = node
  }

  private func isKeyless(
    _ value: JSONValue, _ selections: [RandomSelection], _ batch: Batch
  ) -> Bool {
    switch value {
    case .object(let object):
      entityKey(object, selections, object["__typename"]?.string ?? "", batch.operation) == nil
    case .array(let elements):
      elements.first { $0 != .null }.map { isKeyless($0, selections, batch) } ?? false
    default: false
    }
  }

  private mutating func node(
    _ value: JSONValue, _ selections: [RandomSelection], place: String, old: Node?,
    owner: (record: String, field: String)? = nil, _ path: [GraphQLError.PathElement],
    _ batch: inout Batch
  ) -> Node {
    switch value {
    case .object(let object):
      let type = object["__typename"]?.string ?? ""
      if let key = entityKey(object, selections, type, batch.operation) {
        remove(below: place)
        batch.keys[place] = key
        write(value, selections, into: key, type: type, path, &batch)
        for other in batch.keyless.removeValue(forKey: place) ?? [] {
          write(other.value, other.selections, into: key, type: type, other.path, &batch)
        }
        return .object(key)
      }
      if let key = batch.keys[place], records[key]?.type == type {
        write(value, selections, into: key, type: type, path, &batch)
        return .object(key)
      }
      batch.keyless[place, default: []].append(
        Value(value: value, selections: selections, record: place, field: "", path: path))
      write(value, selections, into: place, type: type, path, &batch)
      return .object(batch.keys[place] ?? place)
    case .array(let elements):
      if batch.lists.insert(place).inserted { remove(below: place) }
      let before: [Node] = if case .list(let before) = old { before } else { [] }
      var nodes: [Node] = []
      var failed: [Int] = []
      for (index, element) in elements.enumerated() {
        let path = path + [.index(index)]
        if batch.failed.contains(path) { failed.append(index) }
        let old = index < before.count ? before[index] : nil
        nodes.append(
          failed.last == index
            ? .hole
            : node(element, selections, place: "\(place)/\(index)", old: old, path, &batch))
      }
      for index in elements.count..<max(elements.count, before.count) {
        remove(below: "\(place)/\(index)")
      }
      // The field itself may be part of its own value.
      if let owner, case .list(let now) = records[owner.record]?.fields[owner.field] {
        return .list(keepingFailed(failed, of: nodes, now, place: place))
      }
      return .list(keepingFailed(failed, of: nodes, before, place: place))
    default:
      remove(below: place)
      return .leaf(.null)
    }
  }

  /// A list element that failed keeps its old value if the rest of the list is unchanged and has
  /// keys.
  private func keepingFailed(
    _ failed: [Int], of nodes: [Node], _ before: [Node], place: String
  ) -> [Node] {
    var kept = nodes
    for index in failed where index < before.count { kept[index] = before[index] }
    let hasOnlyEntities = kept.allSatisfy { node in
      switch node {
      case .object(let key): !key.hasPrefix(place + "/")
      case .leaf: true
      case .list, .hole: false
      }
    }
    return kept == before && hasOnlyEntities ? kept : nodes
  }

  private func entityKey(
    _ object: JSONObject, _ selections: [RandomSelection], _ type: String,
    _ operation: RandomOperation
  ) -> String? {
    guard
      let field = operation.fields(of: selections, on: type).first(where: { $0.name == "id" })
    else { return nil }
    switch object[field.key] {
    case .string(let id) where !id.isEmpty: return "\(type):\(id)"
    case .int(let id): return "\(type):\(id)"
    default: return nil
    }
  }
}

// MARK: - Reading

extension Oracle {
  /// Returns what an operation reads, nil if something is missing, and everything it depends on.
  func read(_ operation: RandomOperation) -> (data: JSONValue?, dependencies: Set<Dependency>) {
    var dependencies: Set<Dependency> = []
    let data = read("Query", operation.selections, operation, &dependencies)
    return (data, dependencies)
  }

  private func read(
    _ key: String, _ selections: [RandomSelection], _ operation: RandomOperation,
    _ dependencies: inout Set<Dependency>
  ) -> JSONValue? {
    let record = records[key]
    var isComplete = true
    var members: [(String, JSONValue)] = []
    for field in operation.fields(of: selections, on: record?.type ?? "") {
      let node =
        field.name == "__typename"
        ? record.map { .leaf(.string($0.type)) } : record?.fields[field.storageKey]
      dependencies.insert(
        Dependency(
          record: key, field: field.storageKey, value: node, type: record?.type))
      let value = node.flatMap { read($0, field.selections ?? [], operation, &dependencies) }
      if let value { members.append((field.key, value)) } else { isComplete = false }
    }
    return isComplete ? .object(JSONObject(members)) : nil
  }

  private func read(
    _ node: Node, _ selections: [RandomSelection], _ operation: RandomOperation,
    _ dependencies: inout Set<Dependency>
  ) -> JSONValue? {
    switch node {
    case .leaf(let value): return value
    case .object(let key): return read(key, selections, operation, &dependencies)
    case .hole: return nil
    case .list(let nodes):
      var elements: [JSONValue] = []
      var isComplete = true
      for node in nodes {
        if let element = read(node, selections, operation, &dependencies) {
          elements.append(element)
        } else {
          isComplete = false
        }
      }
      return isComplete ? .array(elements) : nil
    }
  }
}
