extension Document {
  /// The document as the reference implementation prints it (`print` of graphql-js 16, `print_ast`
  /// of graphql-core 3.2): two spaces a level, one selection a line, an empty line between
  /// definitions, no line break at the end.
  ///
  /// Documents that were parsed have the same canonical text, byte for byte, exactly when they are
  /// equal. Takes time in proportion to the text, at every call.
  ///
  /// A tree that was built in code is printed as it is: names and numbers are not checked.
  public var canonicalText: String { printed(isMinified: false) }

  /// The document without any character that could be left out; it parses to an equal document.
  ///
  /// This is the reference implementation's `stripIgnoredCharacters` of the canonical text.
  public var minifiedText: String { printed(isMinified: true) }

  private func printed(isMinified: Bool) -> String {
    var printer = Printer(isMinified: isMinified)
    printer.write(self)
    return printer.text
  }
}

extension Definition {
  /// The definition alone, see `Document.canonicalText`.
  public var canonicalText: String { Document(definitions: [self]).canonicalText }

  /// The definition alone, see `Document.minifiedText`.
  public var minifiedText: String { Document(definitions: [self]).minifiedText }
}

extension OperationDefinition {
  /// The operation alone, without fragments, see `Document.canonicalText`.
  public var canonicalText: String { Definition.operation(self).canonicalText }

  /// The operation alone, without fragments, see `Document.minifiedText`.
  public var minifiedText: String { Definition.operation(self).minifiedText }
}

extension FragmentDefinition {
  /// The fragment alone, see `Document.canonicalText`.
  public var canonicalText: String { Definition.fragment(self).canonicalText }

  /// The fragment alone, see `Document.minifiedText`.
  public var minifiedText: String { Definition.fragment(self).minifiedText }
}

extension SelectionSet {
  /// The selection set as an operation's or a fragment's own, see `Document.canonicalText`.
  public var canonicalText: String {
    var printer = Printer(isMinified: false)
    printer.write(self)
    return printer.text
  }

  /// The selection set without any character that could be left out.
  public var minifiedText: String {
    var printer = Printer(isMinified: true)
    printer.write(self)
    return printer.text
  }
}

extension Value {
  /// The value as the reference implementation prints it, in one line but for block strings.
  public var canonicalText: String {
    var printer = Printer(isMinified: false)
    printer.write(self)
    return printer.text
  }
}

extension TypeReference {
  /// The type as it is written in a document, for example `[ID!]!`.
  public var canonicalText: String {
    var printer = Printer(isMinified: false)
    printer.write(self)
    return printer.text
  }
}
