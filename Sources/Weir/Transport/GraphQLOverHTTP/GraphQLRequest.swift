import Foundation

/// The parameters of one request of "GraphQL over HTTP" (section "Request Parameters"), and the two
/// ways to write them. Pure: no network, no state.
struct GraphQLRequest {
  /// The canonical text; nil if the server knows it by its hash.
  var query: String?
  /// What the server knows the text by; nil if it is sent, or its hash.
  var documentId: String?
  /// The operation's name, if it has one.
  var operationName: String?
  /// The variables as JSON, an object.
  var variables: [UInt8]
  /// Further parameters as JSON, an object; nil for none.
  var extensions: [UInt8]?

  /// - Throws: ``OperationError`` if the extensions hold a number that JSON has no notation for.
  init(_ operation: GraphQLOperation) throws(OperationError) {
    let parameters = operation.context.requestParameters
    switch parameters.document {
    case .text: query = operation.text
    case .id(let id): documentId = id
    case .omitted: break
    }
    operationName = operation.name
    variables = operation.variables
    if !parameters.extensions.isEmpty {
      do {
        extensions = try JSONValue.object(parameters.extensions).canonicalBytes()
      } catch {
        throw .variables("The extensions of the request cannot be encoded: \(error)", error)
      }
    }
  }

  private var hasVariables: Bool { variables.count > 2 }

  /// The body of a POST (section "POST", "JSON Encoding"): one JSON object. Parameters that are
  /// absent or empty are left out.
  var body: [UInt8] {
    var body: [UInt8] = []
    body.reserveCapacity(64 + (query?.utf8.count ?? 0) * 9 / 8 + variables.count)
    func begin(_ key: StaticString) {
      body.append(UInt8(ascii: body.isEmpty ? "{" : ","))
      body.append(UInt8(ascii: "\""))
      body.append(
        contentsOf: UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount))
      body.append(contentsOf: "\":".utf8)
    }
    if let operationName {
      begin("operationName")
      body.append(jsonString: operationName)
    }
    if let documentId {
      begin("documentId")
      body.append(jsonString: documentId)
    }
    if let query {
      begin("query")
      body.append(jsonString: query)
    }
    if hasVariables {
      begin("variables")
      body += variables
    }
    if let extensions {
      begin("extensions")
      body += extensions
    }
    if body.isEmpty { body.append(UInt8(ascii: "{")) }
    body.append(UInt8(ascii: "}"))
    return body
  }

  /// The URL of a GET (section "GET"): the parameters in the query component, after those that the
  /// endpoint has.
  ///
  /// - Parameters:
  ///   - endpoint: Where the server is.
  ///   - limit: The most bytes that the URL may have.
  /// - Returns: nil if the URL would be longer.
  func url(at endpoint: URL, limit: Int) -> URL? {
    var items: [(name: String, value: [UInt8])] = []
    if let query { items.append(("query", Array(query.utf8))) }
    if let documentId { items.append(("documentId", Array(documentId.utf8))) }
    if let operationName { items.append(("operationName", Array(operationName.utf8))) }
    if hasVariables { items.append(("variables", variables)) }
    if let extensions { items.append(("extensions", extensions)) }
    let length = items.reduce(endpoint.absoluteString.utf8.count) { $0 + $1.value.count }
    guard length <= limit else { return nil }
    guard var components = URLComponents(url: endpoint, resolvingAgainstBaseURL: true) else {
      return nil
    }
    let own = items.map { "\($0.name)=\(percentEncoded($0.value))" }
    let given = components.percentEncodedQuery.flatMap { $0.isEmpty ? nil : $0 }
    components.percentEncodedQuery = ([given].compactMap(\.self) + own).joined(separator: "&")
    components.percentEncodedFragment = nil
    return components.url.flatMap { $0.absoluteString.utf8.count <= limit ? $0 : nil }
  }
}

/// Escapes all bytes but the unreserved ones (RFC 3986, section 2.3), so that the result means the
/// same to those who read `+` as a space.
private func percentEncoded(_ bytes: [UInt8]) -> String {
  let digits = Array("0123456789ABCDEF".utf8)
  var encoded: [UInt8] = []
  encoded.reserveCapacity(bytes.count * 3 / 2)
  for byte in bytes {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      encoded.append(byte)
    default:
      encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
  }
  return String(decoding: encoded, as: UTF8.self)
}
