/// Puts the payloads of one response together: incremental delivery (`@defer` and `@stream`) in both
/// of its wire forms, and the events of a subscription, each of which begins anew.
///
/// - The form of 2022: `{"incremental":[{"path":[…],"data":{…}}],"hasNext":true}`; `items` belong
///   into the list that the path names without its last step, which is the index of the first. The
///   form before had one such entry as the payload itself.
/// - The form of 2023: `pending` announces ids with paths; `incremental` refers to them by `id` and
///   maybe a `subPath`, `items` belong to the end of the list; `completed` ends them, maybe with
///   errors because of which nothing came.
///
/// Errors and extensions of all payloads add up. Pure: no bytes, no network, no time.
struct IncrementalMerge {
  /// Whether the payloads so far say that more will follow; nil if they say nothing.
  private(set) var hasNext: Bool?
  private(set) var errors: [GraphQLError] = []
  private(set) var isEmpty = true

  private var data: IncrementalData?
  /// The data of a payload that nothing was merged into yet.
  private var wholeData: JSON?
  /// The data as they are now, if they were written already.
  private var written: JSON?
  private var extensions: JSON?
  private var mergedExtensions: JSONObject?
  private var pending: [String: [GraphQLError.PathElement]] = [:]
  /// The bytes of the data when they were last written, and of the payloads merged since.
  private var writtenSize = 0
  private var sizeSinceWritten = 0

  /// Whether ids were announced and not completed.
  var hasPending: Bool { !pending.isEmpty }

  /// Whether writing the data costs far more than what has come since: then it is worth merging what
  /// is there already before writing. Without that, a long list that streams in item by item would
  /// be written as often as it has items.
  var isWorthWaiting: Bool {
    writtenSize > 16 << 10 && sizeSinceWritten < writtenSize / 8
  }

  /// Merges the next payload, a JSON object.
  ///
  /// - Throws: ``StreamFormatError`` if it does not fit what came before, which stays as it was or
  ///   with a part of the payload merged.
  mutating func append(_ payload: JSON) throws(StreamFormatError) {
    guard payload.kind == .object else {
      throw StreamFormatError(.badPayload, "A payload is not an object.")
    }
    let entries = payload.list("incremental")
    let isPatch = payload.list("path") != nil
    if !isPatch, isEmpty || payload["data"] != nil || payload["errors"] != nil && wasComplete {
      try begin(payload)
    } else {
      errors += payload.errors
      addExtensions(payload["extensions"])
      try announce(payload)
    }
    if isPatch { try apply(payload) }
    if let entries {
      for entry in entries.elements {
        errors += entry.errors
        addExtensions(entry["extensions"])
        try apply(entry)
      }
    }
    complete(payload)
    hasNext = payload["hasNext"]?.bool ?? (isPatch || entries != nil ? true : nil)
    isEmpty = false
  }

  /// Whether the payload before said nothing of more: the next one is no continuation.
  private var wasComplete: Bool { hasNext != true }

  /// All data so far, in a document of their own; nil if there are none.
  mutating func takeData() throws(JSONError) -> JSON? {
    if let written { return written }
    if let data {
      let written = try JSON(parsing: data.bytes(reserving: writtenSize + sizeSinceWritten))
      writtenSize = written.document.bytes.count
      sizeSinceWritten = 0
      self.written = written
      return written
    }
    return wholeData
  }

  /// The extensions of all payloads so far; of several with one key, the last one's.
  func takeExtensions() throws(JSONError) -> JSON? {
    guard let mergedExtensions else { return extensions }
    return try JSON(.object(mergedExtensions))
  }

  // MARK: -

  /// A payload that stands for itself: the first one, or the next event.
  private mutating func begin(_ payload: JSON) throws(StreamFormatError) {
    guard let response = GraphQLResponse(payload) ?? .announcing(payload) else {
      throw StreamFormatError(.badPayload, "A payload is not a GraphQL response.")
    }
    self = IncrementalMerge()
    wholeData = response.data
    errors = response.errors
    extensions = response.extensions
    try announce(payload)
  }

  private mutating func announce(_ payload: JSON) throws(StreamFormatError) {
    guard let announced = payload.list("pending") else { return }
    for entry in announced.elements {
      guard let id = entry["id"]?.string, let path = entry["path"]?.path else {
        throw StreamFormatError(.badPayload, "A pending entry has no id or no path.")
      }
      pending[id] = path
    }
  }

  private mutating func apply(_ entry: JSON) throws(StreamFormatError) {
    sizeSinceWritten += entry.bytes.count
    let patch = entry["data"].flatMap { $0.isNull ? nil : $0 }
    let items = entry["items"].flatMap { $0.kind == .array ? $0 : nil }
    // Nothing but errors: what was deferred came to nothing.
    guard patch != nil || items != nil else { return }
    var (path, isByID) = try place(of: entry)
    if let patch { try target().merge(patch, at: path) }
    guard let items else { return }
    if isByID {
      try target().append(items, at: path)
    } else {
      guard case .index(let start)? = path.popLast() else {
        throw StreamFormatError(.badPath, "The path of list items does not end in an index.")
      }
      try target().append(items, at: path, from: start)
    }
  }

  /// Where an entry belongs. An id counts more than a path, which some servers send beside it.
  private func place(
    of entry: JSON
  ) throws(StreamFormatError) -> (path: [GraphQLError.PathElement], isByID: Bool) {
    if let id = entry["id"]?.string {
      guard let path = pending[id] else {
        throw StreamFormatError(.unknownID, "A payload belongs to an id that was not announced.")
      }
      return (path + (entry["subPath"]?.path ?? []), true)
    }
    guard let path = entry["path"]?.path else {
      throw StreamFormatError(.badPayload, "A payload has neither an id nor a path.")
    }
    return (path, false)
  }

  /// The data as something that can be changed.
  private mutating func target() throws(StreamFormatError) -> IncrementalData {
    written = nil
    if let data { return data }
    guard let wholeData else {
      throw StreamFormatError(.badPath, "A payload adds to data, but there are none.")
    }
    let made = IncrementalData(wholeData)
    data = made
    writtenSize = wholeData.bytes.count
    self.wholeData = nil
    return made
  }

  private mutating func complete(_ payload: JSON) {
    guard let completed = payload.list("completed") else { return }
    for entry in completed.elements {
      errors += entry.errors
      if let id = entry["id"]?.string { pending[id] = nil }
    }
  }

  private mutating func addExtensions(_ more: JSON?) {
    guard let more, more.kind == .object, more.count > 0 else { return }
    guard extensions != nil || mergedExtensions != nil else { return extensions = more }
    var merged = mergedExtensions ?? extensions?.value.object ?? JSONObject()
    for (key, value) in more.members { merged[key] = value.value }
    mergedExtensions = merged
  }
}

extension GraphQLResponse {
  /// A first payload without any data yet: `{"data":null,"hasNext":true}` has no errors beside it.
  fileprivate static func announcing(_ payload: JSON) -> GraphQLResponse? {
    guard payload["hasNext"]?.bool == true, payload["data"]?.isNull ?? true else { return nil }
    return GraphQLResponse()
  }

  private init() {
    data = nil
    errors = []
    extensions = nil
  }
}

extension JSON {
  /// The entries of `errors`.
  fileprivate var errors: [GraphQLError] {
    list("errors")?.elements.map(GraphQLError.init) ?? []
  }

  /// A member that is a list.
  fileprivate func list(_ key: String) -> JSON? {
    self[key].flatMap { $0.kind == .array ? $0 : nil }
  }

  /// A list of keys and indices; nil if it is none.
  fileprivate var path: [GraphQLError.PathElement]? {
    guard kind == .array else { return nil }
    var path: [GraphQLError.PathElement] = []
    for step in elements {
      if let key = step.string {
        path.append(.key(key))
      } else if let index = step.int.flatMap({ Int(exactly: $0) }), index >= 0 {
        path.append(.index(index))
      } else {
        return nil
      }
    }
    return path
  }
}
