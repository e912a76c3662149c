/// A string that is only equal to one of the same bytes, as JSON has it for keys. Swift's own
/// comparison takes different spellings of `é` for one.
struct ExactString: Hashable {
  var text: String

  static func == (left: ExactString, right: ExactString) -> Bool {
    left.text == right.text && left.text.utf8.elementsEqual(right.text.utf8)
  }
}
