import Foundation

/// One line that names the case being measured. It is shown only in a terminal.
struct Progress {
  private let total: Int
  private var done = 0
  private let isShown = isatty(FileHandle.standardError.fileDescriptor) == 1

  init(total: Int) {
    self.total = total
  }

  mutating func show(_ name: String) {
    done += 1
    write("\u{1B}[2K\r\(done) of \(total)  \(name)")
  }

  /// Removes the line.
  func end() {
    write("\u{1B}[2K\r")
  }

  private func write(_ text: String) {
    guard isShown else { return }
    FileHandle.standardError.write(Data(text.utf8))
  }
}
