import Foundation
import Weir

/// What the command line says.
struct Options {
  var url: URL?
  var query: GraphQLOperation?

  /// Whether the embedded server's own story is shown.
  var isDemo: Bool { url == nil && query == nil }

  static let help = """
    Shows what a Weir client does: miss, hit, dedup, watch, refetch.

    USAGE: swift run Quickstart [--url URL] [--query TEXT]

      --url URL     the GraphQL server to ask; without it, one within this process
      --query TEXT  the query to send; by default { __typename }, or posts of the server within
      --help        this text
    """

  /// Reads the arguments. Those that cannot be understood end the program with the code 64.
  static func fromCommandLine() -> Options {
    var options = Options()
    var arguments = CommandLine.arguments.dropFirst()
    while let argument = arguments.popFirst() {
      switch argument {
      case "--help", "-h":
        print(help)
        exit(0)
      case "--url":
        guard let text = arguments.popFirst() else { refuse("--url needs a URL.") }
        guard let url = URL(string: text), url.host != nil,
          ["http", "https"].contains(url.scheme?.lowercased())
        else { refuse("\"\(text)\" is no http or https URL.") }
        options.url = url
      case "--query":
        guard let text = arguments.popFirst() else { refuse("--query needs a text.") }
        let document = GraphQLDocument(text)
        if case .failure(let error) = document.tree { refuse("\(error)") }
        let operation = GraphQLOperation(document)
        guard operation.kind == .query else { refuse("--query takes no \(operation.kind).") }
        options.query = operation
      default:
        refuse("\"\(argument)\" is not known.")
      }
    }
    return options
  }

  private static func refuse(_ reason: String) -> Never {
    FileHandle.standardError.write(Data("error: \(reason)\n\n\(help)\n".utf8))
    exit(64)
  }
}
