import Weir

extension JSONValue {
  /// The value as a document; `null` if it cannot be encoded.
  var json: JSON {
    let bytes = (try? canonicalBytes()) ?? Array("null".utf8)
    return (try? JSON(parsing: bytes)) ?? JSON.null
  }
}

extension JSON {
  static var null: JSON {
    do { return try JSON(parsing: "null") } catch { preconditionFailure("null is JSON") }
  }
}
