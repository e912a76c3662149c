import Foundation
import Testing

/// The results of the reference implementation for many sources; `Data/generate.py` writes them.
enum ReferenceCases {
  static func documents() throws -> [ValidDocument] { try load("documents") }
  static func errors() throws -> [InvalidDocument] { try load("errors") }
  static func values() throws -> [Literal] { try load("values") }
  static func types() throws -> [Literal] { try load("types") }

  private static func load<Case: Decodable>(_ name: String) throws -> [Case] {
    let file = Bundle.module.bundleURL.appending(path: "Data/\(name).json")
    let cases = try JSONDecoder().decode([Case].self, from: Data(contentsOf: file))
    try #require(!cases.isEmpty)
    return cases
  }

  struct ValidDocument: Decodable, Sendable {
    var source: String
    var canonical: String
    var minified: String
  }

  struct InvalidDocument: Decodable, Sendable {
    var source: String
    var message: String
    var line: Int
    var column: Int
  }

  struct Literal: Decodable, Sendable {
    var source: String
    var canonical: String
    /// The text that a string literal denotes.
    var value: String?
    var isBlock: Bool?
  }
}
