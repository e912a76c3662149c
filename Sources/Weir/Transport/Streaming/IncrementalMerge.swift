internal import WeirSupport

/// Merges the payloads of one response: incremental delivery (`@defer` and `@stream`) in all wire
/// formats, and the events of a subscription, each of which replaces the one before.
///
/// - 2022: `{"incremental":[{"path":[…],"data":{…}}],"hasNext":true}`. `items` belong in the list
///   at the path without its last step, which is the index of the first item.
/// - 2020, in part: the payload itself is one such entry, and a `data` whose path leads to the end
///   of a list is an item of `@stream`.
/// - 2023: `pending` announces ids with paths; `incremental` refers to them by `id`, optionally
///   with a `subPath`; `items` belong at the end of the list; `completed` ends them, optionally
///   with the errors that prevented their delivery.
///
/// The errors and extensions of all payloads are collected. The content of all payloads of one
/// response or event is limited. No input or output, no clock.
struct IncrementalMerge {
  /// The keys that ``append(_:)`` reads in a payload after the first one, beside `hasNext`. An object with
  /// none of these is not a payload.
  static let payloadKeys = ["data", "errors", "path", "incremental", "pending", "completed"]

  private enum Content {
    case none
    /// The data of the first payload.
    case received(JSON)
    /// Merged data, and its text if it was written since the last change.
    case merged(IncrementalData, written: JSON?)
  }

  /// Whether the payloads so far announce more; nil if they do not say.
  private(set) var hasNext: Bool?
  /// The size of all payloads in bytes. The result is hardly larger. What is merged keeps the whole payload
  /// in memory, also parts that mean nothing.
  private(set) var size = 0
  private(set) var errors: [GraphQLError] = []
  private(set) var isEmpty = true

  private var content = Content.none
  private var extensions: JSON?
  private var mergedExtensions: JSONObject?
  private var pending: [ExactString: (path: [GraphQLError.PathElement], bytes: Int)] = [:]
  /// How many bytes of announced paths the entries have followed beyond what usual paths have. An
  /// entry of a few bytes can name an id whose path has a key of many megabytes.
  private var followedBytes = 0
  private let limit: Int
  private let isSubscription: Bool
  /// The size when the data was last taken.
  private var takenSize = 0
  /// The size of the data when it was last written.
  private var writtenSize = 0

  private static let usualPathBytes = 256

  /// - Parameters:
  ///   - limit: The maximum size of what the payloads of one response or event bring, in bytes.
  ///   - isSubscription: Whether the payloads are events.
  init(limit: Int = .max, isSubscription: Bool = false) {
    self.limit = limit
    self.isSubscription = isSubscription
  }

  /// Whether an announced id is not completed yet.
  var hasPending: Bool { !pending.isEmpty }

  /// Whether taking the data costs far more than the payloads since the last time brought, and more
  /// payloads will come. Then those that have already arrived should be merged first. Otherwise a
  /// long list that streams in item by item would be written once for each item.
  var isWorthWaiting: Bool {
    hasNext == true && takenSize > 16 << 10 && size - takenSize < takenSize / 8
  }

  /// Merges the next payload, a JSON object.
  ///
  /// - Throws: ``StreamFormatError`` if the payload does not fit the earlier ones. The data then
  ///   contains none or a part of it.
  mutating func append(_ payload: JSON) throws(StreamFormatError) {
    guard payload.kind == .object else {
      throw StreamFormatError(.badPayload, "A payload is not an object.")
    }
    let entries = payload.list("incremental")
    let isPatch = payload.list("path") != nil
    // A payload after one that announced nothing is not its continuation.
    let wasComplete = hasNext != true
    if !isPatch, isEmpty || payload["data"] != nil || payload["errors"] != nil && wasComplete {
      try begin(payload)
    } else {
      try count(payload)
      collect(payload)
      try announce(payload)
    }
    if isPatch { try apply(payload) }
    if let entries {
      for entry in entries.elements {
        collect(entry)
        try apply(entry)
      }
    }
    complete(payload)
    let next = payload["hasNext"]?.bool
    let isPart = isPatch || entries != nil
    // Errors alone, without a word on what follows, end the operation and all that was announced.
    let hasErrors = payload.list("errors").map { $0.count > 0 } ?? false
    if next == nil, !isPart, payload["data"] == nil, hasErrors { pending = [:] }
    hasNext = next ?? (isPart || hasPending ? true : nil)
    isEmpty = false
  }

  /// Notes that nothing follows the payloads so far.
  mutating func end() {
    hasNext = false
  }

  /// Returns the data so far, in a document of its own; nil if there is none.
  mutating func takeData() throws(JSONError) -> JSON? {
    let newSize = size - takenSize
    takenSize = size
    switch content {
    case .none: return nil
    case .received(let data), .merged(_, written: let data?): return data
    case .merged(let data, written: nil):
      let written = try JSON(parsing: data.bytes(reserving: writtenSize + newSize))
      writtenSize = written.bytes.count
      content = .merged(data, written: written)
      return written
    }
  }

  /// Returns the extensions of all payloads so far; later ones replace earlier ones of the same
  /// key.
  func takeExtensions() throws(JSONError) -> JSON? {
    guard let mergedExtensions else { return extensions }
    return try JSON(.object(mergedExtensions))
  }

  // MARK: -

  /// Starts a new response: the first payload, or the next event.
  private mutating func begin(_ payload: JSON) throws(StreamFormatError) {
    guard let response = response(payload) else {
      throw StreamFormatError(.badPayload, "A payload is not a GraphQL response.")
    }
    self = IncrementalMerge(limit: limit, isSubscription: isSubscription)
    if let data = response.data {
      content = .received(data)
      writtenSize = data.bytes.count
    }
    errors = response.errors
    extensions = response.extensions
    try count(payload)
    try announce(payload)
  }

  private func response(_ payload: JSON) -> GraphQLResponse? {
    let hasErrors = payload.list("errors").map { $0.count > 0 } ?? false
    if payload["data"]?.isNull ?? true, !hasErrors {
      // A first payload without data, `{"data":null,"hasNext":true}`, has no errors either.
      if payload["hasNext"]?.bool == true, !isSubscription || payload["extensions"] == nil {
        var announcement = GraphQLResponse()
        announcement.extensions = payload["extensions"].flatMap { $0.isNull ? nil : $0 }
        return announcement
      }
      // It would replace the data of a response that comes in parts.
      if !isSubscription, !isEmpty { return nil }
    }
    return GraphQLResponse(payload, isEvent: isSubscription)
  }

  /// Notes the size of a payload, before it is merged.
  private mutating func count(_ payload: JSON) throws(StreamFormatError) {
    size += payload.document.bytes.count
    guard size <= limit else { throw .mergedTooLarge(limit) }
  }

  /// Adds the errors and extensions of a payload or an entry.
  private mutating func collect(_ part: JSON) {
    errors.append(errorsOf: part)
    addExtensions(part["extensions"])
  }

  private mutating func announce(_ payload: JSON) throws(StreamFormatError) {
    guard let announced = payload.list("pending") else { return }
    for entry in announced.elements {
      guard let id = entry["id"]?.string, let place = entry["path"], let path = place.path else {
        throw StreamFormatError(.badPayload, "A pending entry has no id or no path.")
      }
      pending[ExactString(id)] = (path, place.bytes.count)
    }
  }

  private mutating func apply(_ entry: JSON) throws(StreamFormatError) {
    let patch = entry["data"].flatMap { $0.isNull ? nil : $0 }
    let items = entry.list("items")
    // With errors alone, the deferred part could not be delivered.
    let isItem = items == nil && entry["id"] == nil && entry["data"] != nil && endsInIndex(entry)
    guard patch != nil || items != nil || isItem else { return }
    var (path, isByID) = try place(of: entry)
    if isItem, let item = entry["data"], try target().append(element: item, at: path) { return }
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

  private func endsInIndex(_ entry: JSON) -> Bool {
    if case .none = content { return false }
    if case .index? = entry["path"]?.path?.last { return true }
    return false
  }

  /// Returns the path of an entry. An id takes precedence over the path that some servers send with
  /// it.
  private mutating func place(
    of entry: JSON
  ) throws(StreamFormatError) -> (path: [GraphQLError.PathElement], isByID: Bool) {
    if let id = entry["id"]?.string {
      guard let (path, bytes) = pending[ExactString(id)] else {
        throw StreamFormatError(.unknownID, "A payload refers to an id that was not announced.")
      }
      followedBytes += max(0, bytes - Self.usualPathBytes)
      guard followedBytes <= limit else { throw .mergedTooLarge(limit) }
      return (path + (entry["subPath"]?.path ?? []), true)
    }
    guard let path = entry["path"]?.path else {
      throw StreamFormatError(.badPayload, "A payload has neither an id nor a path.")
    }
    return (path, false)
  }

  /// Returns the data in a form that can be changed.
  private mutating func target() throws(StreamFormatError) -> IncrementalData {
    let data: IncrementalData
    switch content {
    case .none:
      throw StreamFormatError(.badPath, "An incremental payload arrived before any data.")
    case .received(let json):
      data = IncrementalData(json)
    case .merged(let merged, _):
      data = merged
    }
    content = .merged(data, written: nil)
    return data
  }

  private mutating func complete(_ payload: JSON) {
    guard let completed = payload.list("completed") else { return }
    for entry in completed.elements {
      errors.append(errorsOf: entry)
      if let id = entry["id"]?.string { pending[ExactString(id)] = nil }
    }
  }

  private mutating func addExtensions(_ more: JSON?) {
    guard let more, more.kind == .object, more.count > 0 else { return }
    guard extensions != nil || mergedExtensions != nil else { return extensions = more }
    // Changed in place: a copy for each payload would cost the square.
    if mergedExtensions == nil { mergedExtensions = extensions?.value.object ?? JSONObject() }
    for (key, value) in more.members { mergedExtensions?[key] = value.value }
  }
}

extension JSON {
  /// The value as a path of keys and indices; nil if it is not one.
  fileprivate var path: [GraphQLError.PathElement]? {
    guard kind == .array else { return nil }
    let path = elements.compactMap(GraphQLError.PathElement.init)
    let isValid = path.allSatisfy { step in
      if case .index(let index) = step { index >= 0 } else { true }
    }
    return isValid && path.count == count ? path : nil
  }
}
