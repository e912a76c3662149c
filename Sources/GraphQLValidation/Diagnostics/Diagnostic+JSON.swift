extension Diagnostic {
  /// The finding as a JSON object in one line, with columns in UTF-16 code units.
  ///
  /// Its members are `file`, `line`, `column`, `endLine`, `endColumn`, `severity`, `rule`, `message`,
  /// `suggestions` and `related`, a list of objects with the first five members.
  public var json: String {
    let members = [
      place.jsonMembers,
      "\"severity\":\(severity.rawValue.jsonText)",
      "\"rule\":\(rule.jsonText)",
      "\"message\":\(message.jsonText)",
      "\"suggestions\":[\(suggestions.map(\.jsonText).joined(separator: ","))]",
      "\"related\":[\(related.map { "{\($0.jsonMembers)}" }.joined(separator: ","))]",
    ]
    return "{\(members.joined(separator: ","))}"
  }
}

extension Diagnostic.Place {
  fileprivate var jsonMembers: String {
    "\"file\":\(path.jsonText),\"line\":\(line),\"column\":\(utf16Column),"
      + "\"endLine\":\(endLine),\"endColumn\":\(utf16EndColumn)"
  }
}

extension String {
  /// The text as a string of JSON.
  package var jsonText: String {
    var text = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\u{0}"..."\u{1F}", "\u{7F}", "\u{2028}", "\u{2029}": text += scalar.jsonEscape
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }

  /// The text in one line, with escapes for the characters that control a terminal.
  package var visibleText: String {
    var text = ""
    for scalar in unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator:
        text += scalar == "\n" ? "\\n" : scalar.jsonEscape
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

extension Unicode.Scalar {
  /// The escape of a character with up to four digits.
  fileprivate var jsonEscape: String {
    let digits = String(value, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
