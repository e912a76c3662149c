extension Document {
  /// The document as the reference implementations print it (`print` of graphql-js 16, `print_ast`
  /// of graphql-core 3.2): two spaces per level, one selection per line, an empty line between
  /// definitions, no line break at the end.
  ///
  /// Two parsed documents are equal if and only if their canonical texts are equal, byte for byte.
  /// Every call takes time in proportion to the text.
  ///
  /// Names and numbers in a tree that was built in code are not validated.
  public var canonicalText: String { Printer.text { $0.write(self) } }

  /// The shortest text that parses to an equal document.
  ///
  /// This is the canonical text after graphql-js's `stripIgnoredCharacters`.
  public var minifiedText: String { Printer.text(isMinified: true) { $0.write(self) } }
}

extension Definition {
  /// The text of the definition; see `Document.canonicalText`.
  public var canonicalText: String { Document(definitions: [self]).canonicalText }

  /// The text of the definition; see `Document.minifiedText`.
  public var minifiedText: String { Document(definitions: [self]).minifiedText }
}

extension OperationDefinition {
  /// The text of the operation without its fragments; see `Document.canonicalText`.
  public var canonicalText: String { Definition.operation(self).canonicalText }

  /// The text of the operation without its fragments; see `Document.minifiedText`.
  public var minifiedText: String { Definition.operation(self).minifiedText }
}

extension FragmentDefinition {
  /// The text of the fragment; see `Document.canonicalText`.
  public var canonicalText: String { Definition.fragment(self).canonicalText }

  /// The text of the fragment; see `Document.minifiedText`.
  public var minifiedText: String { Definition.fragment(self).minifiedText }
}

extension SelectionSet {
  /// The text of the selection set, indented as that of an operation; see
  /// `Document.canonicalText`.
  public var canonicalText: String { Printer.text { $0.write(self) } }

  /// The shortest text of the selection set; see `Document.minifiedText`.
  public var minifiedText: String { Printer.text(isMinified: true) { $0.write(self) } }
}

extension Value {
  /// The text of the value, in one line except for block strings; see `Document.canonicalText`.
  public var canonicalText: String { Printer.text { $0.write(self) } }
}

extension TypeReference {
  /// The text of the type, for example `[ID!]!`.
  public var canonicalText: String { Printer.text { $0.write(self) } }
}
