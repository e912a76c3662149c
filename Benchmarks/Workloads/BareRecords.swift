/// Todos and authors as records, in as little as a store of them can be, and the list of all todos.
struct BareRecords {
  fileprivate struct Record {
    let version: UInt64
    let id: Range<Int>
    /// The text of a todo, or the name of an author.
    let text: Range<Int>
    let due: Range<Int>
    let complete: Bool
    let author: Int
  }

  private struct Dependency {
    let record: Int
    let version: UInt64
  }

  /// The texts, one after another.
  private var bytes: [UInt8] = []
  private var records: [Record] = []
  private var list: [Int] = []

  init(_ todos: [TodosSelection.Todo]) {
    var authors: [String: Int] = [:]
    for todo in todos {
      let author = authors[todo.author.id] ?? add(todo.author.id, todo.author.name)
      authors[todo.author.id] = author
      list.append(add(todo.id, todo.text, todo.due, todo.complete, author))
    }
  }

  private mutating func add(
    _ id: String, _ text: String, _ due: String = "", _ complete: Bool = false, _ author: Int = 0
  ) -> Int {
    let texts = [id, text, due].map { text in
      defer { bytes += text.utf8 }
      return bytes.count..<bytes.count + text.utf8.count
    }
    records.append(
      Record(
        version: 1, id: texts[0], text: texts[1], due: texts[2], complete: complete,
        author: author))
    return records.count - 1
  }

  /// Makes what is shown for each todo of the list, with new strings, and notes what it depends on.
  private func read<Element>(
    _ make: (Record, UnsafeBufferPointer<UInt8>) throws -> Element
  ) rethrows -> [Element] {
    var dependencies: [Dependency] = []
    dependencies.reserveCapacity(list.count * 2)
    defer { use(dependencies) }
    return try bytes.withUnsafeBufferPointer { bytes in
      try list.map { number in
        let record = records[number]
        let author = records[record.author]
        dependencies.append(Dependency(record: number, version: record.version))
        dependencies.append(Dependency(record: record.author, version: author.version))
        return try make(record, bytes)
      }
    }
  }

  /// Reads the list by initializers. Each author is made once.
  func made() -> TodosSelection {
    var authors = [TodosSelection.Author?](repeating: nil, count: records.count)
    return TodosSelection(
      todos: read { todo, bytes in
        let author =
          authors[todo.author]
          ?? {
            let record = records[todo.author]
            return TodosSelection.Author(id: bytes.text(record.id), name: bytes.text(record.text))
          }()
        authors[todo.author] = author
        return TodosSelection.Todo(
          id: bytes.text(todo.id), text: bytes.text(todo.text), complete: todo.complete,
          due: bytes.text(todo.due), author: author)
      })
  }

  /// Reads the list by `Decodable`. Each author is made once.
  func decoded() throws -> TodosData {
    var authors = [Author?](repeating: nil, count: records.count)
    let decoder = BareDecoder()
    return TodosData(
      todos: try read { todo, bytes in
        let author = try authors[todo.author] ?? decoder.make(records[todo.author], bytes)
        authors[todo.author] = author
        decoder.author = author
        return try decoder.make(todo, bytes)
      })
  }
}

extension UnsafeBufferPointer<UInt8> {
  fileprivate func text(_ range: Range<Int>) -> String {
    String(decoding: UnsafeBufferPointer(rebasing: self[range]), as: UTF8.self)
  }
}

/// Decodes records with as little as `Decodable` allows: the fields come in their order, whatever their keys
/// are.
private final class BareDecoder: Decoder {
  private(set) var record: BareRecords.Record?
  var author: Author?
  private var bytes = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  private var count = 0
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  func make<Value: Decodable>(
    _ record: BareRecords.Record, _ bytes: UnsafeBufferPointer<UInt8>
  ) throws -> Value {
    (self.record, self.bytes, count) = (record, bytes, 0)
    return try Value(from: self)
  }

  func nextText() -> String {
    guard let record else { return "" }
    count += 1
    return bytes.text(count == 1 ? record.id : count == 2 ? record.text : record.due)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(BareFields(decoder: self))
  }

  func unkeyedContainer() -> any UnkeyedDecodingContainer { unused() }
  func singleValueContainer() -> any SingleValueDecodingContainer { unused() }
}

private struct BareFields<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: BareDecoder
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { [] }

  func decode(_ type: String.Type, forKey key: Key) -> String { decoder.nextText() }
  func decode(_ type: Bool.Type, forKey key: Key) -> Bool { decoder.record?.complete ?? false }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    guard let author = decoder.author as? Value else { unused() }
    return author
  }

  func contains(_ key: Key) -> Bool { true }
  func decodeNil(forKey key: Key) -> Bool { false }
  func superDecoder() -> any Decoder { unused() }
  func superDecoder(forKey key: Key) -> any Decoder { unused() }
  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer { unused() }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedDecodingContainer<Nested> { unused() }
}
