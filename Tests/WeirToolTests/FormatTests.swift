import Foundation
import GraphQLLanguage
import Testing

@testable import WeirTool

@Suite("weir format", .timeLimit(.minutes(10)))
struct FormatTests {
  @Test("Comments stay beside what they are about (T6)", arguments: Self.cases)
  func comments(text: String, formatted: String) async throws {
    let workspace = try Workspace(["A.graphql": text])
    let run = await workspace.run("format")
    #expect(run.code == 0 && run.diagnostics.isEmpty)
    #expect(workspace["A.graphql"] == formatted)
    // The result is in its final form.
    #expect(await workspace.run("format", "--check").code == 0)
  }

  private static let cases = [
    ("{a}", "{\n  a\n}\n"),
    ("# Only a comment", "# Only a comment"),
    (
      "# License\n\n# About A\nquery A { # opens\n  # before a\n  a, # after a\n  b # after b\n  # last\n} # done",
      "# License\n\n# About A\nquery A { # opens\n  # before a\n  a # after a\n  b # after b\n  # last\n} # done\n"
    ),
    ("query { a }\n\n\n# End\n# of file\n", "{\n  a\n}\n\n# End\n# of file\n"),
    // Two comments in what becomes one line.
    (
      "{ a(\n  # the x\n  x: 1 # one\n  y: 2 # two\n) }",
      "{\n  # the x\n  # two\n  a(x: 1, y: 2) # one\n}\n"
    ),
    // Delimiters that the canonical form does not have.
    (
      "union U =\n  # first\n  | A # a\n  | B\ntype T implements\n  & N # n\n{ a: Int }",
      "# first\nunion U = A | B # a\n\ntype T implements N { # n\n  a: Int\n}\n"
    ),
    // A `#` in a string is not a comment, and a line within a string gets none.
    (
      "\"\"\"\nA # not\nB\n\"\"\"\ntype T { # c\n  a(x: String = \"# no\"): Int }",
      "\"\"\"\nA # not\nB\n\"\"\"\ntype T { # c\n  a(x: String = \"# no\"): Int\n}\n"
    ),
    (
      "{ a(x: \"\"\"\n  one\n  # in\n\"\"\" # behind\n) }",
      "{\n  a(x: \"\"\"\n  one\n  # in\n  \"\"\") # behind\n}\n"
    ),
    ("\u{FEFF}{ a\r\n# c\r\n b }", "{\n  a\n  # c\n  b\n}\n"),
    ("# 😀 é\n{ a # ü\n}", "# 😀 é\n{\n  a # ü\n}\n"),
  ]

  @Test(
    "A comment that silences a line silences those into which it is broken (T6)",
    arguments: [
      (
        "query A {\n  # weir:ignore deprecated\n  # why\n  book { title old }\n}\n",
        """
        query A {
          # weir:ignore deprecated
          # why
          book {
            # weir:ignore deprecated
            title
            # weir:ignore deprecated
            old
          }
        }

        """
      ),
      (
        "query A { book { old } } # weir:ignore deprecated",
        """
        # weir:ignore deprecated
        query A {
          # weir:ignore deprecated
          book {
            # weir:ignore deprecated
            old
          }
        }

        """
      ),
      (
        "query A {\n  book {\n    title, old # weir:ignore deprecated\n  }\n}\n",
        """
        query A {
          book {
            # weir:ignore deprecated
            title
            # weir:ignore deprecated
            old
          }
        }

        """
      ),
      // What is one line stays as it is.
      (
        "query A { book {\n  old # weir:ignore deprecated\n  title } }",
        "query A {\n  book {\n    old # weir:ignore deprecated\n    title\n  }\n}\n"
      ),
    ])
  func ignoring(text: String, formatted: String) async throws {
    let workspace = try Workspace([
      "A.graphql": text,
      "s.graphqls": "type Query { book: Book } type Book { title: Int old: Int @deprecated }",
    ])
    #expect(await workspace.run("validate", "--strict").code == 0)
    #expect(await workspace.run("format", "A.graphql").code == 0)
    #expect(workspace["A.graphql"] == formatted)
    #expect(await workspace.run("validate", "--strict").code == 0)
    #expect(await workspace.run("format", "--check", "A.graphql").code == 0)
  }

  @Test(
    "A comment that an empty line separates from a line never silences that line (T6)",
    arguments: [
      (
        "query A {\n  # weir:ignore deprecated\n\n  book { title, old }\n}\n",
        "query A {\n  # weir:ignore deprecated\n\n  book {\n    title\n    old\n  }\n}\n"
      ),
      (
        "query A {\n  book {\n    # weir:ignore deprecated\n    # why\n\n\n    # old\n    old\n  }\n}\n",
        "query A {\n  book {\n    # weir:ignore deprecated\n    # why\n\n    # old\n    old\n  }\n}\n"
      ),
      (
        "query A {\r  book {\r    # weir:ignore deprecated\r\r    old\r  }\r}\r",
        "query A {\n  book {\n    # weir:ignore deprecated\n\n    old\n  }\n}\n"
      ),
    ])
  func detached(text: String, formatted: String) async throws {
    let workspace = try Workspace([
      "A.graphql": text,
      "s.graphqls": "type Query { book: Book } type Book { title: Int old: Int @deprecated }",
    ])
    #expect(await workspace.run("validate", "--strict").code != 0)
    #expect(await workspace.run("format", "A.graphql").code == 0)
    #expect(workspace["A.graphql"] == formatted)
    #expect(await workspace.run("validate", "--strict").code != 0)
    #expect(await workspace.run("format", "--check", "A.graphql").code == 0)
  }

  @Test("A comment at any place is kept, and the document stays the same (T6)")
  func everywhere() async throws {
    let text = """
      query A($x: [Int!]! = [1, 2] @d, $y: I) @e(k: {a: "s", b: \"\"\"t\"\"\"}) {
        alias: f(a: $x, b: -1.5e3) @include(if: true) { ...F @skip(if: false) ... on T { g } ... { h } }
      }
      fragment F on T { id }
      "D" schema @s { query: Q }
      interface N implements M & O { f(a: Int = 1, "d" b: E): [N!]! @deprecated }
      enum E { A B } input I @oneOf { a: Int b: [I] = [] } union U = A | B scalar S
      directive @d(a: Int) repeatable on FIELD | QUERY
      extend type T { x: Int }
      """
    let document = try Document(parsing: text)
    var finder = TokenFinder(text)
    var ends = [0]
    while let token = finder.token(from: 0, skipping: ends.count - 1) {
      ends.append(token.upperBound)
    }
    #expect(ends.count > 150)
    let bytes = Array(text.utf8)
    for (number, end) in ends.enumerated() {
      for comment in [" # mark\n", "\n# mark\n"] {
        let commented =
          String(decoding: bytes[..<end], as: UTF8.self) + comment
          + String(decoding: bytes[end...], as: UTF8.self)
        let workspace = try Workspace(["A.graphql": commented])
        let run = await workspace.run("format")
        let result = try #require(workspace["A.graphql"])
        #expect(run.code == 0, "\(number): \(run.diagnostics)")
        #expect(try Document(parsing: result) == document)
        #expect(result.ranges(of: "# mark").count == 1, "\(number)")
        #expect(await workspace.run("format", "--check").code == 0, "\(number)")
      }
    }
  }

  @Test("A comment behind every token of many documents is kept (T6)")
  func corpus() throws {
    struct Sample: Decodable {
      let source: String
      let canonical: String
    }
    let url = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../GraphQLLanguageTests/Data/documents.json")
    let samples = try JSONDecoder().decode([Sample].self, from: Data(contentsOf: url))
    #expect(samples.count > 400)
    for sample in samples {
      let tokens = TokenizedText(sample.source)
      let parts = tokens.tokens.indices.map { index in
        "\(tokens.string(tokens.tokens[index])) #\(index)\n\(index % 3 == 0 ? "#above \(index)\n" : "")"
      }
      let formatted = try DocumentFormatter.format(parts.joined(), path: "A.graphql")
      #expect(try DocumentFormatter.format(formatted, path: "A.graphql") == formatted)
      let document = try Document(parsing: formatted)
      #expect(document.canonicalText == sample.canonical)
      let count = tokens.tokens.count
      #expect(TokenizedText(formatted).comments.count == count + (count + 2) / 3)
    }
  }

  @Test("The check lists files that are not formatted, and writes nothing (T6)")
  func check() async throws {
    let workspace = try Workspace([
      "A.graphql": "{a}", "B.graphql": "{\n  b\n}\n", "s.graphqls": "scalar  S", "C.graphql": "{",
    ])
    let run = await workspace.run("format", "--check", ".")
    #expect(run.code == 1)
    #expect(
      run.diagnostics == [
        "C.graphql:1:2: error: Expected Name, found <EOF>.",
        "A.graphql: error: The file is not formatted. Run weir format.",
        "s.graphqls: error: The file is not formatted. Run weir format.",
      ])
    #expect(workspace["A.graphql"] == "{a}")
    #expect(
      await workspace.run("format", "A.graphql", "s.graphqls").output == [
        "A.graphql", "s.graphqls",
      ])
    #expect(workspace["s.graphqls"] == "scalar S\n")
  }

  @Test("A file keeps its permissions, and a link remains a link (T6)", arguments: [0o640, 0o600])
  func keepsFile(permissions: Int) async throws {
    let workspace = try Workspace(["Shared/A.graphql": "{a}"])
    let (file, link) = ("\(workspace.folder)/Shared/A.graphql", "\(workspace.folder)/B.graphql")
    let manager = FileManager.default
    try manager.setAttributes([.posixPermissions: permissions], ofItemAtPath: file)
    try manager.createSymbolicLink(atPath: link, withDestinationPath: "Shared/A.graphql")
    #expect(await workspace.run("format", "B.graphql").output == ["B.graphql"])
    #expect(workspace["Shared/A.graphql"] == "{\n  a\n}\n")
    #expect(try manager.destinationOfSymbolicLink(atPath: link) == "Shared/A.graphql")
    let kept = try manager.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(kept == permissions)
  }
}
