/// The texts of todos, one after another.
///
/// Every store that delivers todos has to make their strings. Making them in a bare loop is the
/// least that this can cost.
struct TodoTexts {
  private var bytes: [UInt8] = []
  /// Where `id`, `text` and `due` of each todo are, in turn.
  private var ranges: [Range<Int>] = []
  private let todos: [TodosSelection.Todo]

  init(_ todos: [TodosSelection.Todo]) {
    self.todos = todos
    for todo in todos {
      for text in [todo.id, todo.text, todo.due] {
        ranges.append(bytes.count..<bytes.count + text.utf8.count)
        bytes += text.utf8
      }
    }
  }

  /// Makes the same todos with new strings; their authors are shared.
  func made() -> [TodosSelection.Todo] {
    bytes.withUnsafeBufferPointer { bytes in
      func text(_ index: Int) -> String {
        String(decoding: UnsafeBufferPointer(rebasing: bytes[ranges[index]]), as: UTF8.self)
      }
      return todos.indices.map {
        TodosSelection.Todo(
          id: text($0 * 3), text: text($0 * 3 + 1), complete: todos[$0].complete,
          due: text($0 * 3 + 2), author: todos[$0].author)
      }
    }
  }
}
