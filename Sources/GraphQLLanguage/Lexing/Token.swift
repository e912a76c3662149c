/// A lexical token: its kind and its range of bytes in the source text.
struct Token: Sendable {
  var kind: TokenKind
  var start: Int
  var end: Int

  var range: Range<Int> { start..<end }
}

/// The kinds of tokens (specification, section 2.1.5), as messages show them: a punctuator in quotes,
/// any other kind by its name.
enum TokenKind: String, Sendable {
  case endOfFile = "<EOF>"
  case bang = "\"!\""
  case dollar = "\"$\""
  case ampersand = "\"&\""
  case leftParenthesis = "\"(\""
  case rightParenthesis = "\")\""
  case spread = "\"...\""
  case colon = "\":\""
  case equals = "\"=\""
  case at = "\"@\""
  case leftBracket = "\"[\""
  case rightBracket = "\"]\""
  case leftBrace = "\"{\""
  case bar = "\"|\""
  case rightBrace = "\"}\""
  case name = "Name"
  case int = "Int"
  case float = "Float"
  case string = "String"
  case blockString = "BlockString"
}
