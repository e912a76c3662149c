import Foundation
import Weir

/// The options on the command line.
struct Options {
  var url: URL?
  var query: GraphQLOperation?

  /// Whether to run the demonstration with the embedded server.
  var isDemo: Bool { url == nil && query == nil }

  static let help = """
    Shows how a Weir client works: miss, hit, dedup, watch, refetch.

    USAGE: swift run Quickstart [--url URL] [--query TEXT]

      --url URL     the GraphQL server; by default, one within this process
      --query TEXT  the query to send; by default { __typename }, or the posts of the server
                    within this process
      --help        show this text
    """

  /// Parses the arguments. If they are invalid, the program ends with the code 64.
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
        else { refuse("\"\(text)\" is not an http or https URL.") }
        options.url = url
      case "--query":
        guard let text = arguments.popFirst() else { refuse("--query needs the text of a query.") }
        let document = GraphQLDocument(text)
        if case .failure(let error) = document.tree { refuse("\(error)") }
        let operation = GraphQLOperation(document)
        guard operation.kind == .query else {
          refuse("--query needs a query, not a \(operation.kind).")
        }
        options.query = operation
      default:
        refuse("Unknown argument \"\(argument)\".")
      }
    }
    return options
  }

  private static func refuse(_ reason: String) -> Never {
    FileHandle.standardError.write(Data("error: \(reason)\n\n\(help)\n".utf8))
    exit(64)
  }
}
