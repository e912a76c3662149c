import GraphQLValidation

/// A file whose lines are counted once, for all findings that are in it.
final class NumberedFile {
  let file: SourceFile
  private(set) lazy var lines = LineTable(file.text)

  init(_ file: SourceFile) { self.file = file }
}

/// The files that findings are in. Each is counted when the first finding needs its lines.
final class NumberedFiles {
  private var known: [ObjectIdentifier: NumberedFile] = [:]

  subscript(file: SourceFile) -> NumberedFile {
    if let numbered = known[ObjectIdentifier(file)] { return numbered }
    let numbered = NumberedFile(file)
    known[ObjectIdentifier(file)] = numbered
    return numbered
  }
}
