import Foundation

// The text forms of what carries credentials and variables, so that a log, a failed test or a
// debugger's summary does not reveal them. A mirror decides what `dump` and string interpolation
// show.

extension HTTPHeaders: CustomStringConvertible, CustomReflectable {
  /// The names of the fields, in order; no values, because they may be credentials.
  public var description: String { "[\(map(\.name).joined(separator: ", "))]" }

  /// The names of the fields.
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: map(\.name), displayStyle: .collection)
  }
}

extension HTTPHeaders.Field: CustomStringConvertible, CustomReflectable {
  /// The name; not the value, because it may be a credential.
  public var description: String { name }

  /// The name.
  public var customMirror: Mirror { Mirror(self, children: ["name": name], displayStyle: .struct) }
}

extension OperationContext: CustomReflectable {
  /// The settings that say how the operation is executed, with the names of the headers; neither
  /// the values of headers nor your exchanges' own values.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "requestPolicy": requestPolicy, "session": session,
        "endpoint": endpoint.map(\.textWithoutSecrets) as Any, "headers": headers,
        "additionalTypenames": additionalTypenames, "storesResult": storesResult,
        "maximumAge": maximumAge as Any, "totalTimeout": totalTimeout as Any,
        "requestTimeout": requestTimeout as Any,
        "skipsAuthentication": skipsAuthentication,
        "abortsWhenCancelled": abortsWhenCancelled, "prefersGET": prefersGET as Any,
        "isIdempotent": isIdempotent as Any, "priority": priority,
      ], displayStyle: .struct)
  }
}

extension GraphQLOperation: CustomReflectable {
  /// The kind, name, key, and context; of the variables, only their size.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "kind": kind, "name": name as Any, "key": key,
        "variables": "\(variables.count) bytes", "context": context,
      ], displayStyle: .struct)
  }
}

extension OperationError: CustomReflectable {
  /// Code, message, and the head of the response; neither its header fields nor its body, and only
  /// the type of the underlying error.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "code": code, "message": message, "graphQLErrors": "\(graphQLErrors.count) errors",
        "httpStatus": httpStatus as Any, "mediaType": mediaType as Any,
        "underlying": underlying.map { "\(type(of: $0))" } as Any,
      ], displayStyle: .struct)
  }
}

extension URL {
  /// The URL without what may be secret: user, password, query items, and fragment.
  var withoutSecrets: URL? {
    guard var components = URLComponents(url: self, resolvingAgainstBaseURL: true) else {
      return nil
    }
    (components.percentEncodedUser, components.percentEncodedPassword) = (nil, nil)
    (components.percentEncodedQuery, components.percentEncodedFragment) = (nil, nil)
    return components.url
  }

  /// The same as text, which shows whether there are query items.
  package var textWithoutSecrets: String {
    let text = withoutSecrets?.absoluteString ?? "(no valid URL)"
    return query() == nil ? text : text + "?…"
  }
}
