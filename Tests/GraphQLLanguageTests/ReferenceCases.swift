import Foundation
import Testing

/// What the reference implementation makes of many sources; `Data/generate.py` writes it.
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
    /// The text that a string stands for.
    var value: String?
    var isBlock: Bool?
  }
}
