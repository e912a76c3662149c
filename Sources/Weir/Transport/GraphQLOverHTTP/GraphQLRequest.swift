import Foundation

/// The parameters of a request by "GraphQL over HTTP" (section "Request Parameters"), and the two
/// ways to encode them.
struct GraphQLRequest {
  /// The document; nil if the server identifies it in another way.
  var document: PreparedOperation?
  /// The identifier under which the server knows the document; nil if the text or its hash is sent.
  var documentId: String?
  /// The operation's name, if it has one.
  var operationName: String?
  /// The variables as a JSON object; nil if there are none.
  var variables: CompactBytes?
  /// Further parameters as a JSON object; nil for none.
  var extensions: [UInt8]?

  /// - Throws: ``OperationError`` if the extensions contain a number that JSON cannot represent.
  init(_ operation: GraphQLOperation) throws(OperationError) {
    let parameters = operation.context.requestParameters
    switch parameters.document {
    case .text: document = operation.prepared
    case .id(let id): documentId = id
    case .omitted: break
    }
    operationName = operation.name
    let variables = operation.compactVariables
    if variables.count > 2 { self.variables = variables }
    if !parameters.extensions.isEmpty {
      let value = JSONValue.object(parameters.extensions)
      do throws(JSONError) {
        extensions = try value.canonicalBytes()
      } catch {
        let reason = value.encodingError(error)
        throw .variables("The extensions of the request cannot be encoded: \(reason)", reason)
      }
    }
  }

  /// The body of a POST (section "POST", "JSON Encoding"): a JSON object without the parameters
  /// that are absent or empty.
  var body: [UInt8] {
    let text = document?.encodedText
    var body: [UInt8] = []
    body.reserveCapacity(64 + (text?.count ?? 0) + (variables?.count ?? 0))
    func begin(_ key: StaticString) {
      body.append(UInt8(ascii: body.isEmpty ? "{" : ","))
      key.withUTF8Buffer { body += $0 }
    }
    func append(_ key: StaticString, _ text: String?) {
      guard let text else { return }
      begin(key)
      body.append(jsonString: text)
    }
    append(#""operationName":"#, operationName)
    append(#""documentId":"#, documentId)
    if let text {
      begin(#""query":"#)
      body += text
    }
    if let variables {
      begin(#""variables":"#)
      variables.withBytes { body += $0 }
    }
    if let extensions {
      begin(#""extensions":"#)
      body += extensions
    }
    if body.isEmpty { body.append(UInt8(ascii: "{")) }
    body.append(UInt8(ascii: "}"))
    return body
  }

  /// Returns the URL of a GET (section "GET"): the endpoint with the parameters after its own query
  /// items.
  ///
  /// - Parameters:
  ///   - endpoint: The server's URL.
  ///   - limit: The maximum length of the URL in bytes.
  /// - Returns: nil if the URL would be longer.
  func url(at endpoint: URL, limit: Int) -> URL? {
    let parameters = [
      ("query", document?.text), ("documentId", documentId), ("operationName", operationName),
      ("variables", variables?.string),
      ("extensions", extensions.map { String(decoding: $0, as: UTF8.self) }),
    ]
    let items = parameters.compactMap { name, value in value.map { (name: name, value: $0) } }
    let length = items.reduce(endpoint.absoluteString.utf8.count) { $0 + $1.value.utf8.count }
    guard length <= limit,
      var components = URLComponents(url: endpoint, resolvingAgainstBaseURL: true)
    else { return nil }
    let own = items.map { name, value in
      "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: unreserved) ?? "")"
    }
    let given = components.percentEncodedQuery.flatMap { $0.isEmpty ? nil : $0 }
    components.percentEncodedQuery = ([given].compactMap(\.self) + own).joined(separator: "&")
    components.percentEncodedFragment = nil
    return components.url.flatMap { $0.absoluteString.utf8.count <= limit ? $0 : nil }
  }
}

/// The characters that need no escape (RFC 3986, section 2.3). All others are escaped, so that
/// servers that read `+` as a space get the same value.
private let unreserved = CharacterSet(
  charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
